import { magicBuyers, findScript } from './magic-buyers'
import { findBuyerIce } from './find-buyer-ice'
import { rejections } from './rejections'
import { invoiceXml } from './testdata/documents'

describe('magic buyers', () => {
  it('have valid ICEs', () => {
    for (const ice of Object.keys(magicBuyers)) expect(ice).toMatch(/^\d{15}$/)
  })

  it('cover every rejection code', () => {
    const codes = Object.values(magicBuyers).flatMap((s) => ('code' in s ? [s.code] : []))
    expect(codes.sort()).toEqual(Object.keys(rejections).sort())
  })

  it('finds no script for another id', () => {
    expect(findScript('009876543000012')).toBeUndefined()
    expect(findScript('constructor')).toBeUndefined()
    expect(findScript(undefined)).toBeUndefined()
  })
})

describe('peekBuyerIce', () => {
  it('finds the buyer and not the seller', () => {
    const xml = invoiceXml({ sellerIce: '000000000000500', buyerIce: '000000000000101' })
    expect(findBuyerIce(Buffer.from(xml))).toBe('000000000000101')
  })

  it.each([
    ['other prefixes', 'cac:', 'x:'],
    [
      'white space',
      '<cac:Party>',
      '<cac:Party>\n  <cbc:EndpointID schemeID="0088">1</cbc:EndpointID>\n ',
    ],
  ])('is not misled by %s', (_what, from, to) => {
    const xml = invoiceXml({ buyerIce: '000000000000101' }).replaceAll(from, to)
    expect(findBuyerIce(Buffer.from(xml))).toBe('000000000000101')
  })

  it.each([
    ['no buyer', '<Invoice/>'],
    ['no identification', '<cac:AccountingCustomerParty><cac:Party></cac:Party>'],
    ['an identification that is no ICE', invoiceXml({ buyerIce: '12345' })],
    ['binary', Buffer.from([0, 255, 254]).toString('latin1')],
    ['hostile nesting', `AccountingCustomerParty><Party>${'<a>'.repeat(100_000)}`],
  ])('finds nothing in %s', (_what, xml) => {
    expect(findBuyerIce(Buffer.from(xml))).toBeUndefined()
  })
})
