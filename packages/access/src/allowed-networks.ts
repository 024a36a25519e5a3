import { BlockList, isIP } from 'node:net'
import { unmapIpv4 } from './client-network'

export function isNetwork(text: string): boolean {
  return parseNetwork(text) !== undefined
}

/** No network: any address. */
export function isAllowedAddress(address: string, networks: readonly string[]): boolean {
  if (networks.length === 0) return true
  const [plain = ''] = unmapIpv4(address).split('%')
  if (isIP(plain) === 0) return false
  const family = isIP(plain) === 4 ? 'ipv4' : 'ipv6'
  const list = new BlockList()
  for (const text of networks) {
    const network = parseNetwork(text)
    // A list of both treats an IPv4 address as one in ::/0.
    if (network?.family === family) list.addSubnet(network.address, network.prefix, family)
  }
  return list.check(plain, family)
}

function parseNetwork(text: string) {
  const [address = '', bits, ...others] = text.split('/')
  const version = isIP(address)
  if (version === 0 || others.length > 0 || address.includes('%')) return undefined
  const longest = version === 4 ? 32 : 128
  if (bits !== undefined && !/^\d{1,3}$/.test(bits)) return undefined
  const prefix = bits === undefined ? longest : Number(bits)
  if (prefix > longest) return undefined
  return { address, prefix, family: version === 4 ? ('ipv4' as const) : ('ipv6' as const) }
}
