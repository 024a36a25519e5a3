/** `test`: invoices go to the simulator or a sandbox and have no legal value. */
export const environments = ['test', 'live'] as const

export type Environment = (typeof environments)[number]

/** Of references that the simulator gives: no tax authority accepted such an invoice. */
export const simulatorReferencePrefix = 'SIM-'
