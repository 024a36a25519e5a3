const unsendableFields: Record<string, string> = {
  amountHt: 'is computed by the service from the lines and cannot be sent',
  amountVat: 'is computed by the service from the lines and cannot be sent',
  amountTtc: 'is computed by the service from the lines and cannot be sent',
  organizationId: 'is never sent: the API key determines the organization',
  issuerIce: "is filled in from the organization's legal details and cannot be sent",
  issuerName: "is filled in from the organization's legal details and cannot be sent",
  id: 'is set by the service and cannot be sent',
  status: 'is set by the service and cannot be sent',
  createdAt: 'is set by the service and cannot be sent',
  updatedAt: 'is set by the service and cannot be sent',
  draft: 'is allowed only at creation: to sign a draft, send POST /v1/invoices/:id/sign',
}

export function explainUnknownField(name: string, known: readonly string[]): string {
  if (Object.hasOwn(unsendableFields, name)) return unsendableFields[name] ?? ''
  if (name.startsWith('dgi')) return 'is read-only: the tax authority sets it'
  return explainUnknownName(name, known, 'field')
}

export function explainUnknownName(
  name: string,
  known: readonly string[],
  noun: 'field' | 'parameter',
): string {
  const meant = findNearestName(name, known)
  return meant === undefined
    ? `is not a known ${noun}`
    : `is not a known ${noun}; did you mean ${meant}?`
}

/** Differs only in case, or by at most two letters, or is the beginning of a name. */
function findNearestName(name: string, known: readonly string[]): string | undefined {
  const lowered = name.toLowerCase()
  const near = known
    .map((candidate) => ({ candidate, typos: distance(lowered, candidate.toLowerCase()) }))
    .filter(({ candidate, typos }) => typos <= Math.min(2, candidate.length - 2))
    .sort((one, other) => one.typos - other.typos)
  return near[0]?.candidate ?? findLongerName(lowered, known)
}

function findLongerName(beginning: string, known: readonly string[]): string | undefined {
  if (beginning.length < 3) return undefined
  return known
    .filter((candidate) => candidate.toLowerCase().startsWith(beginning))
    .sort((one, other) => one.length - other.length)[0]
}

/** Levenshtein distance; Infinity if the lengths differ by more than two. */
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
