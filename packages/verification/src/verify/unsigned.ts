import type { Element } from '@xmldom/xmldom'
import { readEvidenceText, type Covered, type Evidence, type ReadEvidence } from '../evidence'
import { DocumentError } from '../signature-form'
import { canonicalize, findSignedProperties } from './signature'
import { ds, findChild, xades } from './xml'

const order: Readonly<Record<Evidence['kind'], string>> = {
  signatureTimeStamp: 'S',
  certificates: 'C',
  revocationData: 'R',
  archiveTimeStamp: 'A',
  timeStampValidationData: 'V',
}

// Only an archive time stamp detects that what nothing covers was moved: so the order is fixed.
const orders = /^(?:S(?:C?R(?:A(?:C?R?V?A)*)?)?)?$/

/** Throws `DocumentError` for anything but the evidence that we write, in its order. */
export function readUnsigned(signature: Element, isStampedNext: boolean): ReadEvidence[] {
  const list = findChild(
    signature,
    ds('Object'),
    xades('QualifyingProperties'),
    xades('UnsignedProperties'),
    xades('UnsignedSignatureProperties'),
  )
  const nodes = Array.from(list?.childNodes ?? [])
  if (nodes.some((node) => node.nodeType !== 1 && node.textContent?.trim() !== '')) {
    throw new DocumentError('there is text between the unsigned properties')
  }
  const elements = nodes.filter((node): node is Element => node.nodeType === 1)
  const evidence = readEvidenceText(elements.map((element) => canonicalize(element)).join(''))
  checkOrder(
    evidence.map((one) => one.evidence),
    isStampedNext ? order.archiveTimeStamp : '',
  )
  return evidence
}

function checkOrder(evidence: readonly Evidence[], next: string): void {
  if (!orders.test(evidence.map(({ kind }) => order[kind]).join('') + next)) {
    throw new DocumentError('the unsigned properties are in the wrong order')
  }
  let stamps = 0
  for (const one of evidence) {
    if (one.kind === 'archiveTimeStamp') stamps += 1
    if ('number' in one && one.number !== stamps) {
      throw new DocumentError('the archive time stamps are not numbered from 1')
    }
  }
}

const keyInfoForm =
  /^<ds:KeyInfo xmlns:ds="[^"]*"><ds:X509Data>([^]*)<\/ds:X509Data><\/ds:KeyInfo>$/

export function readCovered(text: string, signature: Element): Covered {
  const [info, keyInfo] = ['SignedInfo', 'KeyInfo'].map((name) => {
    const element = findChild(signature, ds(name))
    return element ? canonicalize(element) : ''
  }) as [string, string]
  const properties = findSignedProperties(signature)
  return {
    text,
    signature: {
      info,
      properties: properties ? canonicalize(properties) : '',
      value: findChild(signature, ds('SignatureValue'))?.textContent ?? '',
      keyInfo: keyInfoForm.exec(keyInfo)?.[1] ?? '',
    },
  }
}
