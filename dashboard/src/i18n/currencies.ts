/**
 * How many digits the minor unit of a currency has, by ISO 4217 as the service has it: browsers are
 * of another mind about a dozen of them. A test holds both to the same digits.
 */

const otherThanTwo: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}

const digitsByCode = new Map(
  Object.entries(otherThanTwo).flatMap(([digits, codes]) =>
    codes.split(' ').map((code) => [code, Number(digits)]),
  ),
)

export const minorUnitDigits = (currency: string): number => digitsByCode.get(currency) ?? 2
