/**
 * A name no one asked for: what it may have been meant to be, or why it is not the client's to
 * send.
 */

const serverOwnedFields: Record<string, string> = {
  amountHt: 'is computed by the service from the lines and never sent',
  amountVat: 'is computed by the service from the lines and never sent',
  amountTtc: 'is computed by the service from the lines and never sent',
  organizationId: 'is never sent: the API key determines the organization',
  issuerIce: "is filled in from the organization's legal mentions and never sent",
  issuerName: "is filled in from the organization's legal mentions and never sent",
  id: 'is given by the service and never sent',
  status: 'is kept by the service and never sent',
  createdAt: 'is kept by the service and never sent',
  updatedAt: 'is kept by the service and never sent',
  draft: 'belongs to creation only: an invoice is signed by POST /v1/invoices/:id/sign',
}

export function explainUnknownField(name: string, known: readonly string[]): string {
  if (Object.hasOwn(serverOwnedFields, name)) return serverOwnedFields[name] ?? ''
  if (name.startsWith('dgi')) return 'is read-only: the tax authority sets it'
  const meant = findNearestName(name, known)
  return meant === undefined
    ? 'is not a known field'
    : `is not a known field; did you mean ${meant}?`
}

/** The known name that differs only in case, or by at most two letters. */
export function findNearestName(name: string, known: readonly string[]): string | undefined {
  const lowered = name.toLowerCase()
  const near = known
    .map((candidate) => ({ candidate, typos: distance(lowered, candidate.toLowerCase()) }))
    .filter(({ candidate, typos }) => typos <= Math.min(2, candidate.length - 2))
    .sort((one, other) => one.typos - other.typos)
  return near[0]?.candidate
}

/** Levenshtein's; names too different in length are not compared. */
function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return Infinity
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i += 1) {
    const current = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const substituted = (previous[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      current.push(Math.min(substituted, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[other.length] ?? Infinity
}
