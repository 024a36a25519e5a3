/**
 * A running service as the suites see it: where it listens, and how to end it. Adapters:
 * standalone.ts, attached.ts.
 */

export interface Stack {
  /** Origin of the service, without a trailing slash. */
  baseUrl: string
  /** Origin of the clearance simulator; absent where an attached stack did not say. */
  simulatorUrl: string | undefined
  /** Ends it and removes what it kept. Does nothing to a stack that was only attached to. */
  dispose(): Promise<void>
}

/** The simulator's origin, where a test cannot do without. */
export function requireSimulator({ simulatorUrl }: Stack): string {
  if (simulatorUrl === undefined) throw new Error('set SIMULATOR_URL beside STACK_URL')
  return simulatorUrl
}
