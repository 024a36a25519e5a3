import type { DemoOrganization } from '@einvoicing/organizations/demo'
import { firstSteps, whereDemoIs, whereToLook } from '@einvoicing/standalone/banner'
import type { LauncherConfig } from './config'

export interface Welcome {
  config: LauncherConfig
  demo: DemoOrganization | undefined
  demoFile: string | undefined
  logDir: string
}

export function welcome({ config, demo, demoFile, logDir }: Welcome): string {
  const { port, gateways, dataDir, simulatorPort } = config
  const urls = Array.from({ length: gateways }, (_, index) => `http://127.0.0.1:${port + index}`)
  const [url = ''] = urls
  return [
    '',
    `Electronic Invoicing Service ready on ${urls.join(' and ')}, data in ${dataDir}`,
    ...whereToLook(url),
    `Clearance simulator on http://127.0.0.1:${simulatorPort}`,
    `Process ids in ${dataDir}/processes.json, logs in ${logDir}`,
    ...(demo ? firstSteps(url, demo) : []),
    ...(demoFile ? whereDemoIs(demoFile) : []),
    '',
    '',
  ].join('\n')
}
