/** How many digits a currency has after the decimal point, from ISO 4217's own list: the platform's copy, not the sender's. */

const digitsUnlikeTwo: Record<string, number> = Object.fromEntries([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
    .split(' ')
    .map((code) => [code, 0]),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3]),
  ...'CLF UYW'.split(' ').map((code) => [code, 4]),
])

export function minorUnitDigits(currency: string): number {
  return digitsUnlikeTwo[currency] ?? 2
}
