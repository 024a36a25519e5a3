/** Which processes there are, and their settings. Started in this order, stopped in reverse. */

import path from 'node:path'
import type { LauncherConfig } from './config'
import type { Ports } from './ports'
import type { Secrets } from './secrets'
import type { Program } from './supervisor'

export interface Place {
  config: LauncherConfig
  ports: Ports
  secrets: Secrets
  /** Our own environment, and over it where the backing services are. */
  settings: Readonly<Record<string, string>>
  /** For the signer alone: where the key is. */
  keySettings: Readonly<Record<string, string>>
}

/** PEM of the certificate that the simulator and the archive trust. */
export function trustedCertificateFile(dataDir: string): string {
  return path.join(dataDir, 'signer', 'trusted-certificate.pem')
}

export function programs({ config, ports, secrets, settings, keySettings }: Place): Program[] {
  // Loopback is a whole network: instances of a service differ by their address alone.
  const hosts = Array.from({ length: config.instances }, (_, index) => `127.0.0.${index + 1}`)
  const each = (port: number) => hosts.map((host) => `${host}:${port}`).join(',')
  const peers = {
    ORGANIZATIONS_ADDRESS: each(ports.organizations),
    INVOICES_ADDRESS: each(ports.invoices),
    SIGNER_ADDRESS: each(ports.signer),
    ARTEFACTS_ADDRESS: each(ports.artefacts),
  }
  const common = {
    ...settings,
    ...peers,
    CALLER_SECRETS_DIR: secrets.callerSecretsDir,
    SESSION_SECRET_FILE: secrets.sessionSecretFile,
    VERIFY_SECRET_FILE: secrets.verifySecretFile,
    CLEARANCE_URL: settings['CLEARANCE_URL'] ?? `http://127.0.0.1:${config.simulatorPort}`,
    ENVIRONMENT: settings['ENVIRONMENT'] ?? (settings['CLEARANCE_URL'] ? 'live' : 'test'),
  }
  const service = (name: string, rpc: number, health: number): Program[] =>
    hosts.map((host, index) => ({
      name: numbered(name, index),
      file: findMain(name),
      env: { ...common, RPC_ADDRESS: `${host}:${rpc}`, HEALTH_ADDRESS: `${host}:${health}` },
    }))
  const gateways = Array.from({ length: config.gateways }, (_, index) => ({
    name: numbered('gateway', index),
    file: findMain('gateway'),
    env: { ...common, PORT: String(config.port + index) },
  }))
  const trusted = {
    TRUSTED_CERTIFICATES_FILE:
      settings['TRUSTED_CERTIFICATES_FILE'] ??
      settings['SIMULATOR_TRUSTED_CERTIFICATES'] ??
      trustedCertificateFile(config.dataDir),
  }
  const stamps = {
    TSA_URL:
      settings['TSA_URL'] ??
      (common.ENVIRONMENT === 'test' ? `http://127.0.0.1:${config.simulatorPort}/tsa` : ''),
  }
  const archives = service('artefacts', ports.artefacts, ports.artefactsHealth)
  const signers = service('signer', ports.signer, ports.signerHealth)
  const clearances = service('clearance', 0, ports.clearanceHealth)
  return [
    ...service('organizations', ports.organizations, ports.organizationsHealth),
    ...signers.map((signer) => ({ ...signer, env: { ...signer.env, ...keySettings } })),
    ...archives.map((archive) => ({ ...archive, env: { ...archive.env, ...trusted, ...stamps } })),
    ...service('invoices', ports.invoices, ports.invoicesHealth),
    ...clearances.map((clearance) => ({ ...clearance, inBackground: true })),
    ...gateways,
  ]
}

function numbered(name: string, index: number): string {
  return index === 0 ? name : `${name}-${index + 1}`
}

export function simulator({ config, settings }: Place): Program {
  const { dataDir, simulatorPort } = config
  return {
    name: 'simulator',
    file: findMain('simulator'),
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

function findMain(name: string): string {
  return require.resolve(`@einvoicing/${name}/main`)
}
