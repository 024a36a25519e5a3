import { isAllowedAddress, isNetwork } from './allowed-networks'

it.each(['192.0.2.1', '192.0.2.0/24', '0.0.0.0/0', '2001:db8::/32', '::1', '2001:db8::1/128'])(
  '%s is a network',
  (text) => expect(isNetwork(text)).toBe(true),
)

it.each([
  '',
  '192.0.2',
  '192.0.2.0/33',
  '192.0.2.0/',
  '192.0.2.0/2/4',
  '::/129',
  'fe80::1%eth0',
  'a.example',
  '/24',
  '192.0.2.0/-1',
])('%p is not a network', (text) => expect(isNetwork(text)).toBe(false))

it.each([
  ['192.0.2.255', ['192.0.2.0/24'], true],
  ['192.0.3.0', ['192.0.2.0/24'], false],
  ['::ffff:192.0.2.7', ['192.0.2.7'], true],
  ['192.0.2.8', ['192.0.2.7'], false],
  ['2001:db8:ffff::1', ['192.0.2.0/24', '2001:db8::/32'], true],
  ['2001:db9::1', ['2001:db8::/32'], false],
  ['127.0.0.1', ['::/0'], false],
  ['2001:db8::1', ['0.0.0.0/0'], false],
  ['203.0.113.1', [], true],
  ['', ['0.0.0.0/0'], false],
])('%p from %p: %p', (address, networks, isAllowed) =>
  expect(isAllowedAddress(address, networks)).toBe(isAllowed),
)
