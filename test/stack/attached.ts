/**
 * A stack that someone else runs, by STACK_URL and SIMULATOR_URL: the suite knows its address and
 * nothing more.
 */

import type { Stack } from './stack'

/** `undefined` where STACK_URL is not set. */
export function attachedStack(env: NodeJS.ProcessEnv): Stack | undefined {
  const baseUrl = env['STACK_URL']?.replace(/\/+$/, '')
  if (!baseUrl) return undefined
  const simulatorUrl = env['SIMULATOR_URL']?.replace(/\/+$/, '') || undefined
  return { baseUrl, simulatorUrl, dispose: async () => undefined }
}
