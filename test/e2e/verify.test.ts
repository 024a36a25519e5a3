import { requestJson, type RequestOptions } from '../stack/http'
import { onEveryStack } from '../stack/on-every-stack'
import { newOrganization, type Organization } from '../stack/organization'

onEveryStack('verification', (stack) => {
  let organization: Organization
  let other: Organization
  let xml: string
  let made: any
  beforeAll(async () => {
    ;[organization, other] = await Promise.all([newOrganization(stack()), newOrganization(stack())])
    made = await organization.invoices.created()
    xml = (await organization.invoices.bytes(made.id, 'xml')).toString()
    // The first document starts a thread.
    await verify(xml)
  })

  const post = (body: unknown, { key = organization.key.key, headers = {} }: RequestOptions = {}) =>
    requestJson('POST', `${stack().baseUrl}/v1/verify`, {
      key,
      body,
      headers: { 'Content-Type': 'application/xml', ...headers },
    })
  const verify = async (body: unknown, options?: RequestOptions) => {
    const { status, data } = await post(body, options)
    expect(status).toBe(200)
    return data
  }
  const problems = ({ checks }: any) =>
    checks.flatMap(({ name, ok, fault: problem }: any) => (ok ? [] : [`${name}: ${problem}`]))

  test('an original is valid, and the answer has its status', async () => {
    await organization.invoices.decided(made.id)
    for (const key of [organization.key.key, other.key.key]) {
      const data = await verify(xml, { key })
      expect([data.valid, problems(data)]).toEqual([true, []])
      const names = data.checks.map(({ name }: any) => name)
      expect(names.filter((name: string) => name !== 'timeStamp')).toEqual([
        ...['form', 'document', 'signedProperties', 'signature', 'certificate', 'authority'],
        ...['amounts', 'held'],
      ])
      expect(data).toMatchObject({
        signer: { trusted: true },
        invoice: {
          type: 'INVOICE',
          invoiceNumber: made.invoiceNumber,
          currency: 'MAD',
          amountHt: made.amountHt,
          amountVat: made.amountVat,
          amountTtc: made.amountTtc,
        },
        held: { isHeld: true, sameBytes: true, status: 'ACCEPTED', creditedTtc: 0 },
      })
      expect(data.held.dgiReference).toMatch(/\d/)
    }
  })

  test('a rewritten copy has the same signature and other bytes', async () => {
    const data = await verify(xml.replace('?>\n', '?>\n\n').replace('</Invoice>', '</Invoice >'))
    expect([data.valid, problems(data)]).toEqual([true, []])
    expect(data.held).toMatchObject({ isHeld: true, sameBytes: false })
  })

  test('the failing check is the one of the changed part', async () => {
    const digit = await verify(xml.replace(/(?<=<cbc:PayableAmount[^>]*>)\d/, '9'))
    expect(problems(digit)).toEqual([
      'document: the digest differs: something outside the signature was changed',
    ])
    expect([digit.invoice, digit.held]).toEqual([null, null])
    const minute = /(?<=<xades:SigningTime>\d{4}-\d\d-\d\dT\d\d:\d)\d/
    const time = await verify(xml.replace(minute, (digit) => (digit === '9' ? '8' : '9')))
    expect(problems(time)[0]).toMatch(/^signedProperties: the digest differs/)
    expect(time.held).toBeNull()
    const unsigned = xml.replace(/<ds:Signature .*<\/ds:Signature>/s, '')
    expect(problems(await verify(unsigned))).toEqual(['form: it has no signature'])
  })

  test('an exchanged certificate proves nothing', async () => {
    const data = await verify(xml.replace(/(?<=<ds:X509Certificate>)[^<]+/, 'AAAA'))
    expect(problems(data).join()).toContain('certificate: there is no readable certificate')
    expect([data.valid, data.signer, data.held]).toEqual([false, null, null])
  })

  describe('hostile files', () => {
    const within = async (body: string | Buffer) => {
      const began = performance.now()
      const data = await verify(body)
      expect(data).toMatchObject({ valid: false, invoice: null, held: null })
      return { took: performance.now() - began, problem: problems(data).join() }
    }
    const entities = Array.from(
      { length: 10 },
      (_, i) => `<!ENTITY b${i} "&b${i + 1};&b${i + 1};">`,
    )
    const inside = (text: string) => xml.replace('</Invoice>', () => `${text}</Invoice>`)

    test('a byte order mark changes nothing that is signed', async () => {
      const data = await verify(`\uFEFF${xml}`)
      expect(data).toMatchObject({ valid: true, held: { isHeld: true, sameBytes: false } })
    })

    const anId = (name: string) => () => inside(`<a xmlns="u" ${name}="signed-properties"/>`)
    test.each<[string, () => string | Buffer, RegExp]>([
      ['100,000 nested', () => inside('<a>'.repeat(100_000) + '</a>'.repeat(100_000)), /64 levels/],
      ['400,001 elements', () => inside('<a/>'.repeat(400_001)), /more than 400000 elements/],
      [
        '50,000 attributes',
        () => inside(`<a ${Array.from({ length: 50_000 }, (_, i) => `b${i}=""`).join(' ')}/>`),
        /more than 32 attributes/,
      ],
      [
        '5,000 namespaces',
        () => inside(Array.from({ length: 5_000 }, (_, i) => `<a xmlns:n${i}="u"/>`).join('')),
        /more than 200 namespace declarations/,
      ],
      ['a DOCTYPE', () => `<!DOCTYPE a [<!ENTITY b "c">]>${xml}`, /it has a DOCTYPE/],
      ['a comment', () => inside('<!-- -->'), /it contains a comment/],
      ['an instruction', () => inside('<?a b?>'), /it contains a processing instruction/],
      ['CDATA', () => inside('<![CDATA[a]]>'), /it contains a CDATA section/],
      [
        'a second signature',
        () => inside(/<ds:Signature .*<\/ds:Signature>/s.exec(xml)![0]),
        /2 sig/,
      ],
      ['another root', () => `<a>${xml.replace(/^<\?xml[^>]*>/, '')}</a>`, /its root is not/],
      ['one id twice', () => inside('<a xmlns="u" Id="signed-properties"/>'), /have the id/],
      ['one id twice, as ID', anId('ID'), /have the id/],
      ['one id twice, as id', anId('id'), /have the id/],
      ['one id twice, as xml:id', anId('xml:id'), /have the id/],
      ['an entity that is not declared', () => inside('<a>&b;</a>'), /not well-formed/],
      [
        'an entity of ten levels',
        () => `<!DOCTYPE a [${entities.join('')}]>${xml}`,
        /it has a DOCTYPE/,
      ],
      ['a character that XML has not', () => inside('<a>&#0;</a>'), /not well-formed/],
      ['UTF-16', () => Buffer.from(`\uFEFF${xml}`, 'utf16le'), /it is not UTF-8/],
      ['UTF-16 by its declaration', () => xml.replace('UTF-8', 'UTF-16'), /encoded in UTF-16/],
      ['half a character', () => Buffer.from([...Buffer.from(xml), 0xc3]), /it is not UTF-8/],
      [
        'the original inside a forged one',
        () => xml.replace('<ext:UBLExtensions>', `$&${xml.replace(/^<\?xml[^>]*>/, '')}`),
        /signature/,
      ],
      [
        'an Object besides',
        () => xml.replace('</ds:Object>', '$&<ds:Object><a xmlns="u"/></ds:Object>'),
        /other parts/,
      ],
      ['a tag without an end', () => `${xml}<${'a'.repeat(1_000_000)}`, /a tag has no end/],
      ['no XML', () => 'no XML', /not well-formed/],
    ])('%s: named soon', async (_, make, expected) => {
      const { took, problem } = await within(make())
      expect(problem).toMatch(expected)
      expect(problem).toMatch(/^form: /)
      expect(took).toBeLessThan(5_000)
    })
  })

  test('accepts 16 MiB and not one byte more; rejects other media types and requests without key', async () => {
    const most = 16 * 1024 * 1024
    const padded = `${xml}${' '.repeat(most - Buffer.byteLength(xml))}`
    expect(await verify(padded)).toMatchObject({ valid: true, held: { sameBytes: false } })
    const more = await post(`${padded} `)
    expect([more.status, more.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    const json = await post(xml, { headers: { 'Content-Type': 'application/json' } })
    expect([json.status, json.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    expect(json.message).toContain('application/xml')
    const zipped = await post(xml, { headers: { 'Content-Encoding': 'gzip' } })
    expect(zipped.status).toBe(415)
    const none = await post(xml, { key: 'none' })
    expect(none.status).toBe(401)
  })
})
