import { addressText, isLoopback, parseAddress, peerTarget } from './address'

test.each([
  ['127.0.0.1:9001', { host: '127.0.0.1', port: 9001 }],
  ['invoices.svc:65535', { host: 'invoices.svc', port: 65_535 }],
  ['[::1]:0', { host: '::1', port: 0 }],
])('%s is an address', (text, address) => {
  expect(parseAddress(text)).toEqual(address)
  expect(addressText(address)).toBe(text)
})

test.each(['', ':9001', 'host', 'host:', 'host:65536', 'http://host:1', '::1:9001', 'a b:1'])(
  '%j is not an address',
  (text) => {
    expect(parseAddress(text)).toBeUndefined()
  },
)

test('a peer is found by name, or by several IP addresses', () => {
  expect(peerTarget('invoices:9002')).toBe('peer:invoices:9002')
  expect(peerTarget('10.0.0.1:9002, 10.0.0.2:9002')).toBe('ipv4:10.0.0.1:9002,10.0.0.2:9002')
  for (const wrong of ['invoices', 'invoices:0', 'a:1,b:2', '10.0.0.1:1,']) {
    expect(peerTarget(wrong)).toBeUndefined()
  }
})

test('loopback addresses stay on the machine', () => {
  const hosts = ['127.0.0.1', '127.8.9.1', 'localhost', '::1', '0.0.0.0', '10.0.0.1', '::']
  expect(hosts.map((host) => isLoopback({ host, port: 1 }))).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})
