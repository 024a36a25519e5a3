const buyerElement = 'AccountingCustomerParty>'
// The buyer's identification comes first in its party; searching further would only cost time.
const windowLength = 2_000
const partyIdentification =
  /^\s*<[\w.-]*:?Party>(?:\s*<[^>]*>[^<]*<\/[^>]*>)*\s*<[\w.-]*:?PartyIdentification>\s*<[\w.-]*:?ID[^>]*>\s*(\d{15})\s*</

/** Of an unverified document, only to choose a scripted failure. */
export function findBuyerIce(document: Buffer): string | undefined {
  const start = document.indexOf(buyerElement)
  if (start < 0) return undefined
  const from = start + buyerElement.length
  return partyIdentification.exec(document.toString('latin1', from, from + windowLength))?.[1]
}
