import { systemClock as now } from '@einvoicing/runtime/clock'
import { EnvReader } from '@einvoicing/runtime/env'
import type { Log } from '@einvoicing/runtime/log'
import { readOrganizationsConfig } from '@einvoicing/organizations/config'
import type { DemoOrganization } from '@einvoicing/organizations/demo'
import { openOrganizations } from '@einvoicing/organizations/service'

export async function makeDemo(
  settings: Readonly<Record<string, string>>,
  log: Log,
): Promise<DemoOrganization | undefined> {
  const env = new EnvReader(settings)
  const config = readOrganizationsConfig(env, undefined)
  env.throwErrors()
  const organizations = await openOrganizations(config, { now, log })
  try {
    return await organizations.createDemo()
  } finally {
    await organizations.close()
  }
}
