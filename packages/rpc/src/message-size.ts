/** Between services. A 2 MiB body of ampersands grows fivefold in XML. */
export const rpcMessageBytes = 32 * 1024 * 1024
