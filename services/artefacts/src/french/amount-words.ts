import { minorUnitDigits } from '@einvoicing/domain/currency'
import { currencyNames, type Noun } from './currency-names'
import { endsInNoun, numberWords } from './number-words'

/** `(120050, 'MAD')` is « mille deux cents dirhams et cinquante centimes ». Not negative. */
export function amountWords(minorUnits: number, currency: string): string {
  const unit = 10n ** BigInt(minorUnitDigits(currency))
  const { major, minor } = currencyNames(currency)
  const majors = BigInt(minorUnits) / unit
  const minors = BigInt(minorUnits) % unit
  if (minors === 0n || !minor) return withNoun(majors, major)
  return `${withNoun(majors, major)} et ${withNoun(minors, minor)}`
}

function withNoun(n: bigint, { one, many, gender }: Noun): string {
  const noun = n < 2n ? one : many
  const joined = endsInNoun(n) ? withPreposition(noun) : noun
  return `${numberWords(n, gender)} ${joined}`
}

// « un million de dirhams », « deux milliards d’euros ».
function withPreposition(noun: string): string {
  return /^[aeiouéè]/i.test(noun) ? `d’${noun}` : `de ${noun}`
}
