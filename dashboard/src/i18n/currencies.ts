/**
 * How many digits the minor unit of a currency has, by ISO 4217 as the service has it: browsers are
 * of another mind about a dozen of them. A test holds both to the same digits.
 */

const otherThanTwo: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}

const twoDigits =
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP ' +
  'BYN BZD CAD CDF CHE CHF CHW CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR ' +
  'FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW ' +
  'KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN ' +
  'NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD ' +
  'SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS ' +
  'VED VES WST XCD YER ZAR ZMW ZWG'

const digitsByCode = new Map(
  Object.entries(otherThanTwo).flatMap(([digits, codes]) =>
    codes.split(' ').map((code) => [code, Number(digits)]),
  ),
)

export const minorUnitDigits = (currency: string): number => digitsByCode.get(currency) ?? 2

// The few that most invoices are in come first.
const usual = ['MAD', 'EUR', 'USD', 'GBP', 'TND', 'XOF', 'JPY']

/** Every code that the service takes. */
export const currencies: readonly string[] = [
  ...usual,
  ...[...digitsByCode.keys(), ...twoDigits.split(' ')]
    .filter((code) => !usual.includes(code))
    .sort(),
]
