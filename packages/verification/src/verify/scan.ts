/**
 * Before any parser, in one pass: parsers and canonical forms take time that grows with the square
 * of depth and namespaces.
 */

const xmlLimits = {
  depth: 64,
  elements: 400_000,
  /** Of one element, declarations of namespaces included. */
  attributes: 32,
  /** In the whole document. */
  namespaceDeclarations: 200,
} as const

const declaration = /^<\?xml(?=[\s?])[^>]*\?>/

/** `undefined` for a document that may be parsed. */
export function findScanError(xml: string): string | undefined {
  const scan = new Scan(xml.replace(/^\uFEFF/, '').replace(declaration, ''))
  return scan.findError()
}

class Scan {
  private readonly xml: string
  private depth = 0
  private elements = 0
  private attributes = 0
  private namespaceDeclarations = 0

  constructor(xml: string) {
    this.xml = xml
  }

  findError(): string | undefined {
    for (let at = this.xml.indexOf('<'); at >= 0;) {
      const next = this.xml.charAt(at + 1)
      if (next === '!' || next === '?') return this.describeOther(at)
      const end = this.findEnd(at + 1)
      if (end < 0) return 'it is not well-formed XML (a tag has no end)'
      if (next === '/') this.depth -= 1
      else {
        const error = this.countElement(at + 1, end)
        if (error !== undefined) return error
      }
      at = this.xml.indexOf('<', end)
    }
    return undefined
  }

  private describeOther(at: number): string {
    const text = this.xml.slice(at, at + 60)
    if (text.startsWith('<!--')) return 'it contains a comment, which is not accepted'
    if (text.startsWith('<![')) return 'it contains a CDATA section, which is not accepted'
    if (text.startsWith('<!')) return 'it has a DOCTYPE, which is not accepted'
    return 'it contains a processing instruction, which is not accepted'
  }

  /** Of the `>` that ends the tag: an attribute may hold others. */
  private findEnd(from: number): number {
    let quote = 0
    this.attributes = 0
    for (let at = from; at < this.xml.length; at += 1) {
      const code = this.xml.charCodeAt(at)
      if (quote !== 0) {
        if (code === quote) quote = 0
      } else if (code === doubleQuote || code === singleQuote) {
        quote = code
        this.attributes += 1
      } else if (code === greaterThan) return at
    }
    return -1
  }

  private countElement(start: number, end: number): string | undefined {
    const tag = this.xml.slice(start, end)
    this.elements += 1
    this.depth += 1
    // Counted in values too: our documents have none there.
    this.namespaceDeclarations += tag.split('xmlns').length - 1
    const error =
      exceeds('elements', this.elements, 'elements') ??
      exceeds('depth', this.depth, 'levels of elements') ??
      exceeds('attributes', this.attributes, 'attributes of one element') ??
      exceeds('namespaceDeclarations', this.namespaceDeclarations, 'namespace declarations')
    if (tag.endsWith('/')) this.depth -= 1
    return error
  }
}

const [doubleQuote, singleQuote, greaterThan] = [0x22, 0x27, 0x3e]

function exceeds(limit: keyof typeof xmlLimits, count: number, what: string): string | undefined {
  const max = xmlLimits[limit]
  return count > max ? `it has more than ${max} ${what}` : undefined
}
