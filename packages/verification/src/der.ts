/**
 * The part of DER (ITU-T X.690) that is needed: definite lengths, tag numbers below 31. Content is
 * parsed when read, so depth costs nothing.
 */

export class DerError extends Error {
  override readonly name = 'DerError'
}

export interface DerElement {
  /** The identifier octet: class, constructed bit and number. */
  tag: number
  content: Buffer
  /** With tag and length: what a digest or a signature covers. */
  bytes: Buffer
}

export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8String: 0x0c,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const

/** `[number]`, constructed: explicit, or implicit over a SEQUENCE or SET. */
export function contextTag(number: number): number {
  return 0xa0 | number
}

/** The one element that fills `bytes`. */
export function readElement(bytes: Buffer): DerElement {
  const [element, ...others] = readElements(bytes)
  if (element === undefined || others.length > 0) throw new DerError('one element expected')
  return element
}

/** One after another, such as the content of a SEQUENCE. */
export function readElements(bytes: Buffer): DerElement[] {
  const elements: DerElement[] = []
  for (let at = 0; at < bytes.length;) {
    const element = readAt(bytes, at)
    elements.push(element)
    at += element.bytes.length
  }
  return elements
}

function readAt(bytes: Buffer, at: number): DerElement {
  const tag = bytes[at] ?? 0
  if ((tag & 0x1f) === 0x1f) throw new DerError('a tag number of 31 or more')
  const { length, lengthOctets } = readLength(bytes, at + 1)
  const start = at + 1 + lengthOctets
  const end = start + length
  if (end > bytes.length) throw new DerError('an element is longer than its container')
  return { tag, content: bytes.subarray(start, end), bytes: bytes.subarray(at, end) }
}

function readLength(bytes: Buffer, at: number): { length: number; lengthOctets: number } {
  const first = bytes[at]
  if (first === undefined) throw new DerError('an element without a length')
  if (first < 0x80) return { length: first, lengthOctets: 1 }
  const count = first & 0x7f
  if (count === 0 || count > 4 || at + count >= bytes.length) {
    throw new DerError('an indefinite or oversized length')
  }
  const length = bytes.readUIntBE(at + 1, count)
  if (length < 0x80 || length < 2 ** (8 * (count - 1)))
    throw new DerError('a length that is not in DER')
  return { length, lengthOctets: 1 + count }
}

/** Throws unless the element is constructed and has `tag`. */
export function readChildren(element: DerElement | undefined, tag: number): DerElement[] {
  return readElements(readContent(element, tag))
}

export function readContent(element: DerElement | undefined, tag: number): Buffer {
  if (element?.tag !== tag) throw new DerError(`an element with tag ${tag} expected`)
  return element.content
}

export function readInteger(element: DerElement | undefined): bigint {
  const content = readContent(element, tags.integer)
  if (content.length === 0) throw new DerError('an empty integer')
  return BigInt.asIntN(content.length * 8, BigInt(`0x${content.toString('hex')}`))
}

export function readOid(element: DerElement | undefined): string {
  const content = readContent(element, tags.oid)
  const numbers: number[] = []
  let number = 0
  for (const octet of content) {
    number = number * 128 + (octet & 0x7f)
    if (number > Number.MAX_SAFE_INTEGER / 128) throw new DerError('an oversized object identifier')
    if (octet & 0x80) continue
    numbers.push(number)
    number = 0
  }
  const [first] = numbers
  if (first === undefined || (content.at(-1) ?? 0) & 0x80)
    throw new DerError('not an object identifier')
  const root = Math.min(Math.floor(first / 40), 2)
  return [root, first - root * 40, ...numbers.slice(1)].join('.')
}

export function readBits(element: DerElement | undefined): Buffer {
  const content = readContent(element, tags.bitString)
  if (content[0] !== 0) throw new DerError('a bit string with unused bits')
  return content.subarray(1)
}

const timeForm = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d+)?Z$/

/** To the millisecond. RFC 3161, section 2.4.2: in UTC, with seconds. */
export function readTime(element: DerElement | undefined): Date {
  const text = readContent(element, tags.generalizedTime).toString('latin1')
  const [, year, month, day, hour, minute, second, fraction = ''] = timeForm.exec(text) ?? []
  const time = new Date(
    `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction.slice(0, 4)}Z`,
  )
  if (Number.isNaN(time.getTime())) throw new DerError('an invalid time')
  return time
}

export function writeElement(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([Buffer.from([tag]), writeLength(length), ...parts])
}

function writeLength(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const hex = length.toString(16)
  const octets = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  return Buffer.concat([Buffer.from([0x80 | octets.length]), octets])
}

export function writeSequence(...parts: readonly Uint8Array[]): Buffer {
  return writeElement(tags.sequence, ...parts)
}

/** In the order of their octets (DER). */
export function writeSet(...parts: readonly Buffer[]): Buffer {
  return writeElement(tags.set, ...parts.toSorted((one, other) => one.compare(other)))
}

export function writeInteger(value: bigint): Buffer {
  const hex = value.toString(16)
  const octets = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  const sign = (octets[0] ?? 0) & 0x80 ? [Buffer.from([0])] : []
  return writeElement(tags.integer, ...sign, octets)
}

export function writeOid(text: string): Buffer {
  const [root = 0, second = 0, ...others] = text.split('.').map(Number)
  const octets = [root * 40 + second, ...others].flatMap((number) => {
    const groups = [number % 128]
    for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128)) {
      groups.unshift((rest % 128) | 0x80)
    }
    return groups
  })
  return writeElement(tags.oid, Buffer.from(octets))
}

export function writeOctets(octets: Uint8Array): Buffer {
  return writeElement(tags.octetString, octets)
}

/** In UTC, to the millisecond, without trailing zeros (RFC 3161, section 2.4.2). */
export function writeTime(time: Date): Buffer {
  const [whole, fraction = ''] = time
    .toISOString()
    .replace(/[-:TZ]/g, '')
    .split('.')
  const tail = fraction.replace(/0+$/, '')
  const text = `${whole}${tail === '' ? '' : `.${tail}`}Z`
  return writeElement(tags.generalizedTime, Buffer.from(text, 'latin1'))
}
