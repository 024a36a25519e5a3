import { readPemCertificates } from './certificates'
import { platformLimits } from '../limits'
import { creditNoteXml, invoiceXml, pem, signXml } from '../testdata/documents'
import { examine, type Finding } from './examine-document'

const certificates = readPemCertificates(pem('ca'))
const at = new Date('2030-06-01T00:00:00Z')

const examineAt = (document: Buffer, when = at): Finding =>
  examine(document, { certificates, at: when })
const toCode = (finding: Finding): string => (finding.kind === 'valid' ? 'valid' : finding.code)
const altered = (document: Buffer, from: string | RegExp, to: string): Buffer => {
  const text = document.toString()
  const changed = text.replace(from, to)
  expect(changed).not.toBe(text)
  return Buffer.from(changed)
}

describe('a valid document', () => {
  it.each(['ec', 'rsa'])('is accepted when signed with %s', (signer) => {
    expect(examineAt(signXml(invoiceXml(), { signer }))).toEqual({
      kind: 'valid',
      invoice: {
        number: 'F-2026-001',
        typeCode: '380',
        preceding: [],
        bases: { 'MAD S 20': '100' },
        issueDate: '2026-11-20',
        issuerIce: '001234567000089',
        issuerName: 'Atelier Nord',
        buyerIce: '009876543000012',
        currency: 'MAD',
        amountTtc: '120.00',
      },
    })
  })

  it.each(['\u0085', '\u2028', '\u2029', '\ufffd', '\u{1F600}', 'ع', '&#xD;', '&lt;!-- x -->'])(
    'may hold %j in its text',
    (text) => {
      // As a reference, because the signing library would turn some of them into line feeds on the
      // way in.
      const escaped = text.replace(/[\u0085\u2028\u2029]/g, (c) => `&#${c.charCodeAt(0)};`)
      const document = signXml(invoiceXml({ description: `a${escaped}b` }))
      if (escaped !== text) expect(document.toString()).toContain(`a${text}b`)
      expect(toCode(examineAt(document))).toBe('valid')
      const changed = altered(document, '<cbc:Name>a', '<cbc:Name>b')
      expect(toCode(examineAt(changed))).toBe('INVALID_SIGNATURE')
    },
  )

  it('may be written with CR LF line ends and a byte order mark', () => {
    const document = signXml(invoiceXml({ description: 'a\nb' })).toString()
    expect(toCode(examineAt(Buffer.from(`\uFEFF${document.replaceAll('\n', '\r\n')}`)))).toBe(
      'valid',
    )
  })

  it('may chain through an intermediate that it carries', () => {
    const options = { signer: 'below-intermediate', links: pem('intermediate') }
    expect(toCode(examineAt(signXml(invoiceXml(), options)))).toBe('valid')
  })
})

describe('a signature', () => {
  const document = signXml(invoiceXml())

  it.each([
    ['an amount', '>100<', '>101<'],
    ['an attribute', 'unitCode="C62"', 'unitCode="KGM"'],
    ['the signing time', '2026-11-20T10:00:00Z', '2026-11-20T11:00:00Z'],
    ['the signature value', /<ds:SignatureValue>..../, '<ds:SignatureValue>AAAA'],
    ['a digest', /<ds:DigestValue>..../, '<ds:DigestValue>AAAA'],
  ])('no longer holds when %s was changed', (_what, from, to) => {
    expect(toCode(examineAt(altered(document, from, to)))).toBe('INVALID_SIGNATURE')
  })

  it('is required', () => {
    expect(toCode(examineAt(Buffer.from(invoiceXml())))).toBe('INVALID_SIGNATURE')
  })

  it('must be the only one', () => {
    const again = /<ds:Signature .*<\/ds:Signature>/s.exec(document.toString())?.[0] ?? ''
    expect(toCode(examineAt(altered(document, '</Invoice>', `${again}</Invoice>`)))).toBe(
      'INVALID_SIGNATURE',
    )
  })

  it('must cover its own properties', () => {
    expect(toCode(examineAt(signXml(invoiceXml(), { withProperties: false })))).toBe(
      'INVALID_SIGNATURE',
    )
  })

  it.each([
    [
      'two elements of the id that it names',
      '<cbc:Name>',
      '<cbc:Name id="properties">',
      'exactly one element with the id properties is expected',
    ],
    [
      'namespaces included where it does not cover the whole document',
      /(<ds:CanonicalizationMethod [^>]*?)(\/>|><\/ds:CanonicalizationMethod>)/,
      '$1><i:InclusiveNamespaces xmlns:i="http://www.w3.org/2001/10/xml-exc-c14n#"/>' +
        '</ds:CanonicalizationMethod>',
      'InclusiveNamespaces is accepted in the reference to the document only',
    ],
  ])('is refused with %s', (_what, from, to, message) => {
    expect(examineAt(altered(document, from, to))).toMatchObject({
      code: 'INVALID_SIGNATURE',
      message: expect.stringContaining(message) as string,
    })
  })

  it('must name the certificate it was made with', () => {
    expect(toCode(examineAt(signXml(invoiceXml(), { named: 'rsa' })))).toBe('INVALID_SIGNATURE')
  })

  it('must cover the document whole, by the transforms of the profile', () => {
    const transforms = [
      'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
      'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
    ]
    expect(toCode(examineAt(signXml(invoiceXml(), { transforms })))).toBe('INVALID_SIGNATURE')
  })

  it.each(['p384', 'short-rsa'])('is refused with a %s key', (signer) => {
    expect(toCode(examineAt(signXml(invoiceXml(), { signer })))).toBe('INVALID_SIGNATURE')
  })
})

describe('a certificate', () => {
  it('must be issued by a trusted authority, whatever the document contains', () => {
    const options = { signer: 'stranger', links: pem('stranger-ca') }
    expect(toCode(examineAt(signXml(invoiceXml(), options)))).toBe('UNTRUSTED_CERTIFICATE')
  })

  it('must not be issued by one that is no authority', () => {
    const options = {
      signer: 'below-leaf',
      links: pem('ec').replace(/^[^]*?(?=-----BEGIN CERT)/, ''),
    }
    expect(toCode(examineAt(signXml(invoiceXml(), options)))).toBe('UNTRUSTED_CERTIFICATE')
  })

  const base64 = /(?<=<ds:X509Certificate>)[^<]+/
  const document = signXml(invoiceXml())
  const [written = ''] = base64.exec(document.toString()) ?? []

  it.each([
    [
      'bytes after it',
      Buffer.concat([Buffer.from(written, 'base64'), Buffer.from('more')]).toString('base64'),
    ],
    ['characters that are not base64', `${written.slice(0, 40)}!?${written.slice(40)}`],
    ['text after its end', `${written.replace(/=*$/, '==')}bW9yZQ==`],
  ])('with %s is refused', (_what, text) => {
    expect(toCode(examineAt(altered(document, base64, text)))).toBe('INVALID_SIGNATURE')
  })

  it('may be broken into lines', () => {
    const lines = written.replace(/.{64}/g, '$&\n')
    expect(toCode(examineAt(altered(document, base64, lines)))).toBe('valid')
  })

  it('must bring the links to its authority', () => {
    expect(toCode(examineAt(signXml(invoiceXml(), { signer: 'below-intermediate' })))).toBe(
      'UNTRUSTED_CERTIFICATE',
    )
  })

  it('must be valid at the moment, to the second', () => {
    const document = signXml(invoiceXml())
    const codeAt = (moment: string): string => toCode(examineAt(document, new Date(moment)))
    expect(codeAt('2019-12-31T23:59:59Z')).toBe('UNTRUSTED_CERTIFICATE')
    expect(codeAt('2020-01-01T00:00:00Z')).toBe('valid')
    expect(codeAt('2120-01-01T00:00:00Z')).toBe('valid')
    expect(codeAt('2120-01-01T00:00:01Z')).toBe('UNTRUSTED_CERTIFICATE')
  })
})

describe('XML', () => {
  it.each([
    ['no XML', 'hello'],
    ['nothing', ''],
    ['cut short', invoiceXml().slice(0, -10)],
    ['a DOCTYPE', '<!DOCTYPE x [<!ENTITY e "x">]><x>&e;</x>'],
    ['an unknown entity', invoiceXml({ description: '&unknown;' })],
    ['a forbidden character', invoiceXml({ description: '\u0001' })],
    ['a reference to a forbidden character', invoiceXml({ description: '&#1;' })],
    ['a processing instruction', invoiceXml({ description: '1<?x 0?>' })],
    ['CDATA', invoiceXml({ description: '<![CDATA[x]]>' })],
    ['another encoding', invoiceXml().replace('UTF-8', 'ISO-8859-1')],
    ['an unbound prefix', invoiceXml({ description: '<no:x/>' })],
    ['a doubled attribute', invoiceXml({ description: '<x a="1" a="2"/>' })],
  ])('is refused when it holds %s', (_what, xml) => {
    expect(toCode(examineAt(Buffer.from(xml)))).toBe('INVALID_XML')
  })

  it('is refused when it is not UTF-8', () => {
    const bytes = Buffer.from(invoiceXml({ description: 'é' }), 'latin1')
    expect(toCode(examineAt(bytes))).toBe('INVALID_XML')
  })

  it.each(['<cbc:PayableAmount', '<xades:SigningTime'])(
    'is refused when %s has an attribute that xml-crypto takes for a namespace',
    (element) => {
      const document = altered(signXml(invoiceXml()), element, `${element} xmlnsNote="x"`)
      expect(examineAt(document)).toMatchObject({
        code: 'INVALID_XML',
        message: expect.stringContaining('attribute xmlnsNote is not allowed') as string,
      })
    },
  )

  it('is refused past the number of tags that verify in time', () => {
    const wide = (tags: number): Buffer => Buffer.from(`<a>${'<b/>'.repeat(tags - 2)}</a>`)
    expect(examineAt(wide(platformLimits.tagCount + 1))).toMatchObject({ code: 'INVALID_XML' })
    expect(examineAt(wide(platformLimits.tagCount))).toMatchObject({ code: 'INVALID_SIGNATURE' })
  })

  it('deep nesting is rejected and breaks nothing', () => {
    const deep = '<a>'.repeat(50_000) + '</a>'.repeat(50_000)
    expect(toCode(examineAt(Buffer.from(invoiceXml({ description: deep }))))).not.toBe('valid')
  })
})

describe('content', () => {
  it.each([
    ['AMOUNT_MISMATCH', { payable: '120.01' }],
    ['INVALID_XML', { payable: '120.001' }],
    ['INVALID_XML', { payable: '1e2' }],
    ['INVALID_XML', { currency: 'mad' }],
    ['INVALID_XML', { number: ' ' }],
    ['INVALID_DATE', { issueDate: '2026-02-29' }],
    ['INVALID_DATE', { issueDate: '20261120' }],
    ['INVALID_DATE', { dueDate: '2026-11-19' }],
    ['valid', { dueDate: '2026-11-20' }],
    ['INVALID_ISSUER', { sellerIce: '00123456700008' }],
    ['INVALID_ISSUER', { sellerIce: '0012345670000890' }],
    ['INVALID_BUYER', { buyerIce: '12345678901234x' }],
  ])('%s for %j', (code, fields) => {
    expect(toCode(examineAt(signXml(invoiceXml(fields))))).toBe(code)
  })

  it('says in two languages what to correct and where', () => {
    expect(examineAt(signXml(invoiceXml({ payable: '120.01' })))).toMatchObject({
      message: expect.stringMatching(
        /recalculez .* \/ .* compute .* \(PayableAmount: 120\.01 stated, 120 computed\)\.$/,
      ) as string,
    })
  })

  it('may be a document without a buyer’s ICE', () => {
    const xml = invoiceXml().replace(
      /(<cac:AccountingCustomerParty>\s*<cac:Party>).*?(<\/cac:Party>)/s,
      '$1$2',
    )
    expect(toCode(examineAt(signXml(xml)))).toBe('valid')
  })

  it('may be a credit note', () => {
    expect(examineAt(signXml(creditNoteXml(['F-1', 'F-2'])))).toMatchObject({
      kind: 'valid',
      invoice: { typeCode: '381', preceding: ['F-1', 'F-2'] },
    })
  })

  it('content hidden inside the signature is not read', () => {
    const document = signXml(invoiceXml())
    const hidden = altered(
      document,
      '</ds:Signature>',
      '<ds:Object><cbc:ID xmlns:cbc="urn:x">F-OTHER</cbc:ID></ds:Object></ds:Signature>',
    )
    expect(examineAt(hidden)).toMatchObject({ invoice: { number: 'F-2026-001' } })
  })
})
