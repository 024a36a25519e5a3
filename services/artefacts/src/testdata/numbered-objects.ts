/**
 * Objects that two processes can make alike from a number: a few bytes to a few hundred thousand.
 */

import { sha256Hex } from '../objects/digest'
import type { StoredObject } from '../objects/objects'

export function numberedKey(n: number): string {
  return `org-1/invoice-${n}/signed.xml`
}

export function numberedObject(n: number): StoredObject {
  const bytes = Buffer.from(`<Invoice n="${n}"/>`.repeat(1 + ((n * 7_919) % 12_000)))
  return {
    bytes,
    mediaType: 'application/xml',
    sha256: sha256Hex(bytes),
    retainUntil: new Date('2036-12-31T23:59:59.999Z'),
  }
}
