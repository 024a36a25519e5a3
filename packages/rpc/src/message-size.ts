import type { ServiceName } from './service-name'

/** Between services. A 2 MiB body of ampersands grows fivefold in XML. */
export const rpcMessageBytes = 32 * 1024 * 1024

/** What ends a message of several answers; one alone may be as large as any. */
export const answersBytes = 1024 * 1024

/** In one call of `AuthenticateKeys`, and in one batch of calls. */
export const itemsMax = { keys: 100, calls: 16 } as const

/** Bodies for accounts have 16 KiB, an invoice 2 MiB; others: `rpcMessageBytes`. */
export const requestBytes = {
  organizations: 1024 * 1024,
  signer: 8 * 1024 * 1024,
} as const satisfies Partial<Record<ServiceName, number>>
