import { existsSync } from 'node:fs'
import path from 'node:path'
import type { DemoOrganization } from '@einvoicing/organizations/demo'
import { writeDurably } from '@einvoicing/runtime/durable-file'

/** The store holds a digest of the key and of the password: this file is all that has them. */
export async function writeDemoFile(
  dataDir: string,
  url: string,
  { email, password, apiKey }: DemoOrganization,
): Promise<void> {
  const lines = [
    `# Demo organization. Sign in at ${url}/dashboard as ${email} with the password ${password}`,
    `export EINVOICING_URL=${url}`,
    `export EINVOICING_API_KEY=${apiKey}`,
    '',
  ]
  await writeDurably(demoFile(dataDir), lines.join('\n'), 0o600)
}

/** `undefined` where this folder never had a demo, or it was deleted. */
export function findDemoFile(dataDir: string): string | undefined {
  const file = demoFile(dataDir)
  return existsSync(file) ? file : undefined
}

function demoFile(dataDir: string): string {
  return path.join(dataDir, 'demo.env')
}
