/** XAdES (ETSI EN 319 132-1): the signature alone, then with more and more evidence. */
export const signatureLevels = ['B', 'T', 'LT', 'LTA'] as const

export type SignatureLevel = (typeof signatureLevels)[number]

export type SignatureLevelName = `XAdES-B-${SignatureLevel}`

/** As documents and headers name it. */
export function nameLevel(level: SignatureLevel): SignatureLevelName {
  return `XAdES-B-${level}`
}

export const signatureLevelNames = signatureLevels.map(nameLevel)

export function isAtLeast(name: string, level: SignatureLevel): boolean {
  const names: readonly string[] = signatureLevelNames
  return names.indexOf(name) >= signatureLevels.indexOf(level)
}
