import fc from 'fast-check'
import { isXmlText } from '@einvoicing/domain/xml-text'
import { escapeText, optionalTextElement, textElement } from './xml'

it('writes character data as canonical XML does', () => {
  expect(escapeText('A & B < C > D "E" \'F\'')).toBe('A &amp; B &lt; C &gt; D "E" \'F\'')
  expect(escapeText('tab\tlf\ncr\rcrlf\r\n')).toBe('tab\tlf\ncr&#xD;crlf&#xD;\n')
  expect(escapeText(']]>')).toBe(']]&gt;')
  expect(escapeText('فاتورة 🧾 \u0085\u2028\uFFFD')).toBe('فاتورة 🧾 \u0085\u2028\uFFFD')
})

it.each(['\0', '\u0008', '\u000B', '\u001F', '\uD83E', '\uDDFE', '\uFFFE', '\uFFFF'])(
  'refuses %j, which no document can hold',
  (text) => {
    expect(() => escapeText(`before ${text} after`)).toThrow('text that XML 1.0 cannot represent')
  },
)

it('keeps every text that XML can hold, and only that', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      if (!isXmlText(text)) {
        expect(() => escapeText(text)).toThrow()
        return
      }
      const escaped = escapeText(text)
      expect(escaped).not.toMatch(/[<>\r]|&(?!(?:amp|lt|gt|#xD);)/)
      expect(unescaped(escaped)).toBe(text)
    }),
  )
})

it('writes an element with an end tag even when empty, or none at all', () => {
  expect(textElement('cbc:ID', '')).toBe('<cbc:ID></cbc:ID>')
  expect(optionalTextElement('cbc:ID', undefined)).toBe('')
  expect(optionalTextElement('cbc:ID', ' \t\r\n')).toBe('')
  expect(optionalTextElement('cbc:ID', ' x')).toBe('<cbc:ID> x</cbc:ID>')
})

function unescaped(text: string): string {
  return text
    .replaceAll('&#xD;', '\r')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
