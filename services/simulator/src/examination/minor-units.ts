/** The platform's own ISO 4217: a mistake in the sender's table must not be repeated here. */

const digitsUnlikeTwo = new Map([
  ...withDigits(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  ...withDigits(3, 'BHD IQD JOD KWD LYD OMR TND'),
  ...withDigits(4, 'CLF UYW'),
])

export function minorUnitDigits(currency: string): number {
  return digitsUnlikeTwo.get(currency) ?? 2
}

function withDigits(digits: number, codes: string): [code: string, digits: number][] {
  return codes.split(' ').map((code) => [code, digits])
}
