import type { DemoOrganization } from '@einvoicing/organizations/demo'

export interface Welcome {
  url: string
  dataDir: string
  demo: DemoOrganization | undefined
  simulator: { port: number } | undefined
}

export function welcome({ url, dataDir, demo, simulator }: Welcome): string {
  return [
    '',
    `Electronic Invoicing Service ready on ${url}, data in ${dataDir}`,
    ...whereToLook(url),
    ...(simulator ? [`Clearance simulator on http://127.0.0.1:${simulator.port}`] : []),
    ...(demo ? firstSteps(url, demo) : []),
    '',
    '',
  ].join('\n')
}

export function whereToLook(url: string): string[] {
  return [
    `  dashboard            ${url}/dashboard`,
    `  guide                ${url}/docs/guide`,
    `  try every request    ${url}/docs`,
  ]
}

export function firstSteps(url: string, { email, password, apiKey }: DemoOrganization): string[] {
  return [
    '',
    'Demo organization made; these are shown this once:',
    `  sign-in   ${email}  ${password}`,
    `  API key   ${apiKey}`,
    '',
    'Your first invoice:',
    '',
    `  curl -s ${url}/v1/invoices \\`,
    `    -H 'Authorization: Bearer ${apiKey}' \\`,
    `    -H 'Content-Type: application/json' \\`,
    `    -d '{"invoiceNumber":"F-0001","invoiceDate":"${new Date().toISOString().slice(0, 10)}","currency":"MAD",` +
      `"paymentMethod":"BANK_TRANSFER","lines":[{"lineNumber":1,"description":"Conseil","quantity":2,"unitPrice":450.50,"vatRate":20}]}'`,
  ]
}
