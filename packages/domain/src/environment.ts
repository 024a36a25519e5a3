/** `test`: invoices go to the simulator or a sandbox and have no legal value. */
export const environments = ['test', 'live'] as const

export type Environment = (typeof environments)[number]

/** References of the simulator: no tax authority accepted such an invoice. */
export const simulatorReferencePrefix = 'SIM-'
