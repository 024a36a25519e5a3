export const peerScheme = 'peer'

export interface Address {
  host: string
  port: number
}

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

/** `host:port`, whose DNS answers are used in turn, or several IPv4 addresses with commas. */
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
