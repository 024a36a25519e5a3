/** Which processes there are, and what each is told. Opened in this order, ended in reverse. */

import path from 'node:path'
import type { LauncherConfig } from './config'
import type { Ports } from './ports'
import type { Secrets } from './secrets'
import type { Program } from './supervisor'

export interface Place {
  config: LauncherConfig
  ports: Ports
  secrets: Secrets
  /** What engines told, over our own environment. */
  settings: Readonly<Record<string, string>>
  /** What the signer alone is told: where the key is. */
  keySettings: Readonly<Record<string, string>>
}

/** PEM of the certificate that the simulator trusts. */
export function trustedCertificateFile(dataDir: string): string {
  return path.join(dataDir, 'signer', 'trusted-certificate.pem')
}

export function programs({ config, ports, secrets, settings, keySettings }: Place): Program[] {
  const at = (port: number) => `127.0.0.1:${port}`
  const peers = {
    ORGANIZATIONS_ADDRESS: at(ports.organizations),
    INVOICES_ADDRESS: at(ports.invoices),
    SIGNER_ADDRESS: at(ports.signer),
    ARTEFACTS_ADDRESS: at(ports.artefacts),
  }
  const common = {
    ...settings,
    ...peers,
    CALLER_SECRET_FILE: secrets.callerSecretFile,
    SESSION_SECRET_FILE: secrets.sessionSecretFile,
    CLEARANCE_URL: settings['CLEARANCE_URL'] ?? `http://${at(config.simulatorPort)}`,
  }
  const service = (name: string, rpc: number, health: number): Program => ({
    name,
    file: mainOf(name),
    env: { ...common, RPC_ADDRESS: at(rpc), HEALTH_ADDRESS: at(health) },
  })
  const gateways = Array.from({ length: config.gateways }, (_, index) => ({
    name: index === 0 ? 'gateway' : `gateway-${index + 1}`,
    file: mainOf('gateway'),
    env: { ...common, PORT: String(config.port + index) },
  }))
  return [
    service('organizations', ports.organizations, ports.organizationsHealth),
    withSettings(service('signer', ports.signer, ports.signerHealth), keySettings),
    service('artefacts', ports.artefacts, ports.artefactsHealth),
    service('invoices', ports.invoices, ports.invoicesHealth),
    { ...service('clearance', 0, ports.clearanceHealth), inBackground: true },
    ...gateways,
  ]
}

function withSettings(program: Program, settings: Readonly<Record<string, string>>): Program {
  return { ...program, env: { ...program.env, ...settings } }
}

export function simulator({ config, settings }: Place): Program {
  const { dataDir, simulatorPort } = config
  return {
    name: 'simulator',
    file: mainOf('simulator'),
    inBackground: true,
    env: {
      ...settings,
      HOST: '127.0.0.1',
      SIMULATOR_PORT: String(simulatorPort),
      SIMULATOR_DATA_DIR: path.join(dataDir, 'simulator'),
      SIMULATOR_TRUSTED_CERTIFICATES:
        settings['SIMULATOR_TRUSTED_CERTIFICATES'] ?? trustedCertificateFile(dataDir),
    },
  }
}

function mainOf(name: string): string {
  return require.resolve(`@einvoicing/${name}/main`)
}
