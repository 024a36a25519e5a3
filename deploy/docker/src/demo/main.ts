/**
 * Makes the demo organization, once, and prints the first steps as `make run` does: `main.js URL`,
 * with the settings of organizations. Where there is any organization it says nothing.
 */

import { systemClock as now } from '@einvoicing/runtime/clock'
import { EnvReader } from '@einvoicing/runtime/env'
import { createLog } from '@einvoicing/runtime/log'
import { exitOnError } from '@einvoicing/runtime/serve'
import { readOrganizationsConfig } from '@einvoicing/organizations/config'
import { openOrganizations } from '@einvoicing/organizations/service'
import { firstSteps } from '@einvoicing/standalone/banner'

async function main([url = '']: readonly string[]): Promise<void> {
  const env = new EnvReader(process.env)
  const config = readOrganizationsConfig(env, undefined)
  env.throwErrors()
  const organizations = await openOrganizations(config, { now, log: createLog('warn') })
  try {
    const demo = await organizations.createDemo()
    if (demo) process.stdout.write([...firstSteps(url, demo), '', ''].join('\n'))
  } finally {
    await organizations.close()
  }
}

exitOnError(main(process.argv.slice(2)), process.env)
