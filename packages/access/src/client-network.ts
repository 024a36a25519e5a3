/** Attempts are counted by IPv4 address, or by the /64 that an IPv6 subscriber gets. */

import { isIPv6 } from 'node:net'

const mappedIpv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** `192.0.2.1` for `::ffff:192.0.2.1`; any other address as it is. */
export function unmapIpv4(address: string): string {
  return mappedIpv4.exec(address)?.[1] ?? address
}

export function clientNetwork(sent: string): string {
  const address = unmapIpv4(sent)
  const [unzoned = ''] = address.split('%')
  return isIPv6(unzoned) ? `${firstGroups(unzoned).join(':')}::/64` : address
}

/** The /48 that one IPv6 customer may have whole; any other text as it is. */
export function clientSite(network: string): string {
  return network.replace(/^((?:[\da-f]+:){3})[\da-f]+::\/64$/, '$1:/48')
}

function firstGroups(address: string): string[] {
  // `URL` normalizes an IPv6 address to the form of RFC 5952.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = '', tail] = canonical.split('::')
  const before = expandGroups(head)
  const after = expandGroups(tail ?? '')
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].slice(0, 4)
}

function expandGroups(text: string): string[] {
  return text === '' ? [] : text.split(':')
}
