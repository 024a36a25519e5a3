/**
 * Glimpses the buyer's ICE in a document that nobody has verified yet, to choose a scripted fault
 * before answering.
 *
 * Never trusted: the verdict reads the buyer again from what the signature covers.
 */

const buyerElement = 'AccountingCustomerParty>'
// The buyer's identification comes first in its party; looking further would only cost time.
const windowLength = 2_000
const partyIdentification =
  /^\s*<[\w.-]*:?Party>(?:\s*<[^>]*>[^<]*<\/[^>]*>)*\s*<[\w.-]*:?PartyIdentification>\s*<[\w.-]*:?ID[^>]*>\s*(\d{15})\s*</

export function findBuyerIce(document: Buffer): string | undefined {
  const start = document.indexOf(buyerElement)
  if (start < 0) return undefined
  const from = start + buyerElement.length
  return partyIdentification.exec(document.toString('latin1', from, from + windowLength))?.[1]
}
