import type { DemoOrganization } from '@einvoicing/organizations/demo'
import type { SimulatorConfig } from './simulator-process'

export interface Welcome {
  url: string
  dataDir: string
  demo: DemoOrganization | undefined
  demoFile: string | undefined
  simulator: Pick<SimulatorConfig, 'port' | 'publicUrl' | 'mailFolder'> | undefined
}

export function welcome({ url, dataDir, demo, demoFile, simulator }: Welcome): string {
  return [
    '',
    `Electronic Invoicing Service ready on ${url}, data in ${dataDir}`,
    ...whereToLook(url),
    ...(simulator
      ? [`Test environment: clearance simulator on http://127.0.0.1:${simulator.port}`]
      : []),
    ...(simulator?.mailFolder !== undefined && simulator.publicUrl === undefined
      ? [`  mail of the sandbox  http://127.0.0.1:${simulator.port}/mail`]
      : []),
    ...(demo ? firstSteps(url, demo) : []),
    ...(demoFile ? whereDemoIs(demoFile) : []),
    '',
    '',
  ].join('\n')
}

export function whereToLook(url: string): string[] {
  return [
    `  dashboard            ${url}/dashboard`,
    `  guide                ${url}/docs/guide   (français : ${url}/docs/guide/fr)`,
    `  try every request    ${url}/docs`,
  ]
}

/** The key and the password come last: what is printed above scrolls away. */
export function firstSteps(url: string, { email, password, apiKey }: DemoOrganization): string[] {
  const today = new Date().toISOString().slice(0, 10)
  return [
    '',
    'Your first invoice:',
    '',
    `  curl -s ${url}/v1/invoices \\`,
    `    -H "Authorization: Bearer $EINVOICING_API_KEY" \\`,
    `    -H 'Content-Type: application/json' \\`,
    `    -d '{"invoiceNumber":"F-0001","invoiceDate":"${today}","currency":"MAD",` +
      `"paymentMethod":"BANK_TRANSFER","lines":[{"lineNumber":1,"description":"Conseil","quantity":2,"unitPrice":450.50,"vatRate":20}]}'`,
    '',
    'Demo organization made. The service stores neither its key nor its password:',
    `  sign-in   ${email}  ${password}`,
    `  API key   export EINVOICING_API_KEY=${apiKey}`,
  ]
}

/** Also at later starts. */
export function whereDemoIs(demoFile: string): string[] {
  return [`  To set the key of the demo in a shell:  . ${demoFile}`]
}
