/**
 * How many digits a currency has after the decimal point, from ISO 4217's own list.
 *
 * The platform's copy, on purpose not the sender's: two that agree prove more than one asked twice.
 */

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
