/** Addresses of services: where one listens, and where others find it. */

/** The URI scheme of a target that `rpc/peer-resolver.ts` resolves. */
export const peerScheme = 'peer'

/** `host:port`; an IPv6 host in brackets. */
export interface Address {
  host: string
  port: number
}

/** Where each service is unless set otherwise: all on this machine. */
export const ownAddresses = {
  organizations: { rpc: '127.0.0.1:9001', health: '127.0.0.1:9101' },
  invoices: { rpc: '127.0.0.1:9002', health: '127.0.0.1:9102' },
  signer: { rpc: '127.0.0.1:9003', health: '127.0.0.1:9103' },
  artefacts: { rpc: '127.0.0.1:9004', health: '127.0.0.1:9104' },
  clearance: { health: '127.0.0.1:9105' },
} as const

export function parseAddress(text: string): Address | undefined {
  const [, bracketed, plain, digits = ''] =
    /^(?:\[([\da-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(text) ?? []
  const host = bracketed ?? plain
  const port = Number(digits)
  return host !== undefined && port <= 65_535 ? { host, port } : undefined
}

/**
 * As gRPC names whom it calls: `host:port`, whose every DNS answer is used in turn and which is
 * looked up again and again, or several IPv4 addresses with commas between.
 */
export function peerTarget(text: string): string | undefined {
  const parts = text.split(',').map((part) => part.trim())
  const addresses = parts.map(parseAddress)
  if (!addresses.every((address) => address && address.port > 0)) return undefined
  if (parts.length === 1) return `${peerScheme}:${text}`
  const areNumbers = addresses.every((address) => /^[\d.]+$/.test(address?.host ?? ''))
  return areNumbers ? `ipv4:${parts.join(',')}` : undefined
}

export function addressText({ host, port }: Address): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

export function isLoopback({ host }: Address): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}
