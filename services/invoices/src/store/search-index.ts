/**
 * Finds rows that may contain a text, by signatures of three-letter parts; the rows are then
 * compared. Stored by bit, so that a search reads a few words for thousands of texts.
 */

/** Larger organizations are searched invoice by invoice. */
export const searchedMax = 2_500_000

const textsPerBlock = 16
const blocksPerSegment = 256
const wordsPerBit = blocksPerSegment / 32
const signatureBits = 2_048
const textsPerSegment = textsPerBlock * blocksPerSegment
const partLength = 3

interface Segment {
  signatures: Uint32Array
  rows: Uint32Array
}

/** About 20 bytes a text. */
export class SearchIndex {
  private readonly segments: Segment[] = []
  private before = ''
  private count = 0

  get length(): number {
    return this.count
  }

  /** Similar texts after each other cost less time and make a search more exact. */
  add(row: number, text: string): void {
    const at = this.count % textsPerSegment
    if (at === 0) this.segments.push(makeSegment())
    const segment = this.segments.at(-1) as Segment
    segment.rows[at] = row
    this.count += 1
    const block = Math.floor(at / textsPerBlock)
    // What it shares with the text before is in the signature already.
    const same = at % textsPerBlock === 0 ? 0 : countSame(this.before, text)
    this.before = text
    const word = block >> 5
    const mask = 1 << (block & 31)
    const bits = readSignature(text, Math.max(0, same - partLength + 1))
    for (let index = 0; index < bits; index += 1) {
      const at = (signature[index] as number) * wordsPerBit + word
      segment.signatures[at] = (segment.signatures[at] as number) | mask
    }
  }

  /** `undefined` for more rows than `max`, and for texts without a part. */
  find(text: string, max: number): number[] | undefined {
    const ofText = signature.subarray(0, readSignature(text, 0))
    const bits = [...new Set(ofText)].map((bit) => bit * wordsPerBit)
    if (bits.length === 0) return undefined
    const found: number[] = []
    for (const [index, { signatures, rows }] of this.segments.entries()) {
      for (let word = 0; word < wordsPerBit; word += 1) {
        let blocks = -1
        for (let at = 0; at < bits.length && blocks !== 0; at += 1) {
          blocks &= signatures[(bits[at] as number) + word] as number
        }
        for (; blocks !== 0; blocks &= blocks - 1) {
          const block = word * 32 + 31 - Math.clz32(blocks & -blocks)
          const from = block * textsPerBlock
          const filled = Math.min(textsPerSegment, this.count - index * textsPerSegment)
          const until = Math.min(from + textsPerBlock, filled)
          for (let at = from; at < until; at += 1) found.push(rows[at] as number)
        }
        if (found.length > max) return undefined
      }
    }
    return found
  }
}

function makeSegment(): Segment {
  return {
    signatures: new Uint32Array(signatureBits * wordsPerBit),
    rows: new Uint32Array(textsPerSegment),
  }
}

function countSame(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  let at = 0
  while (at < length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1
  return at
}

const bitsPerPart = 3
let signature = new Uint16Array(1_024)

/** The number of bits, from the part at `from` on. */
function readSignature(text: string, from: number): number {
  const partsMax = Math.max(0, text.length - partLength + 1)
  if (signature.length < partsMax * bitsPerPart) {
    signature = new Uint16Array(partsMax * bitsPerPart)
  }
  let count = 0
  for (let at = from; at < partsMax; at += 1) {
    let hash = Math.imul(foldUnit(text.charCodeAt(at)), 0x9e3779b1)
    hash = Math.imul(hash ^ foldUnit(text.charCodeAt(at + 1)), 0x85ebca77)
    hash = Math.imul(hash ^ (hash >>> 13) ^ foldUnit(text.charCodeAt(at + 2)), 0xc2b2ae3d)
    hash ^= hash >>> 16
    signature[count++] = hash & (signatureBits - 1)
    signature[count++] = (hash >>> 11) & (signatureBits - 1)
    signature[count++] = hash >>> 21
  }
  return count
}

const folded = new Map<number, number>()

/** Equal for letters that match each other; surrogates are all equal. */
export function foldUnit(unit: number): number {
  if (unit < 0x80) return unit >= 0x41 && unit <= 0x5a ? unit | 0x20 : unit
  if (unit >= 0xd800 && unit <= 0xdfff) return 1
  const known = folded.get(unit)
  if (known !== undefined) return known
  const letter = String.fromCharCode(unit)
  const upper = keepSingle(letter, letter.toUpperCase())
  const fold = keepSingle(upper, upper.toLowerCase()).charCodeAt(0)
  folded.set(unit, fold)
  return fold
}

const keepSingle = (one: string, cased: string) => (cased.length === 1 ? cased : one)
