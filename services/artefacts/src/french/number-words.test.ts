import fc from 'fast-check'
import { endsInNoun, numberWords } from './number-words'

it.each([
  [0n, 'zéro'],
  [1n, 'un'],
  [16n, 'seize'],
  [17n, 'dix-sept'],
  [21n, 'vingt et un'],
  [31n, 'trente et un'],
  [69n, 'soixante-neuf'],
  [70n, 'soixante-dix'],
  [71n, 'soixante et onze'],
  [77n, 'soixante-dix-sept'],
  [80n, 'quatre-vingts'],
  [81n, 'quatre-vingt-un'],
  [91n, 'quatre-vingt-onze'],
  [99n, 'quatre-vingt-dix-neuf'],
  [100n, 'cent'],
  [101n, 'cent un'],
  [180n, 'cent quatre-vingts'],
  [200n, 'deux cents'],
  [201n, 'deux cent un'],
  [1_000n, 'mille'],
  [1_100n, 'mille cent'],
  [2_000n, 'deux mille'],
  [80_000n, 'quatre-vingt mille'],
  [200_000n, 'deux cent mille'],
  [280_380n, 'deux cent quatre-vingt mille trois cent quatre-vingts'],
  [1_000_000n, 'un million'],
  [80_000_000n, 'quatre-vingts millions'],
  [200_000_001n, 'deux cents millions un'],
  [2_200_000_000n, 'deux milliards deux cents millions'],
  [1_000_000_000_000n, 'un billion'],
])('spells %s as « %s »', (n, words) => expect(numberWords(n)).toBe(words))

it('agrees with the gender of what is counted', () => {
  expect(numberWords(1n, 'feminine')).toBe('une')
  expect(numberWords(21n, 'feminine')).toBe('vingt et une')
  expect(numberWords(81n, 'feminine')).toBe('quatre-vingt-une')
  expect(numberWords(11n, 'feminine')).toBe('onze')
  expect(numberWords(1_000_000n, 'feminine')).toBe('un million')
})

it('knows where « de » must follow', () => {
  expect(endsInNoun(1_000_000n)).toBe(true)
  expect(endsInNoun(1_000_001n)).toBe(false)
  expect(endsInNoun(0n)).toBe(false)
})

it('refuses what it has no words for', () => {
  expect(() => numberWords(-1n)).toThrow(RangeError)
  expect(() => numberWords(10n ** 21n)).toThrow(RangeError)
  expect(numberWords(10n ** 21n - 1n)).toMatch(/^neuf cent quatre-vingt-dix-neuf trillions/)
})

// Reads the words back by a grammar of its own, so that every number is checked and not only the
// ones thought of.
it('spells every number so that it can be read back', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 21n - 1n }),
      (n) => readBack(numberWords(n)) === n,
    ),
  )
  for (let n = 0n; n < 2_000n; n += 1n) expect(readBack(numberWords(n))).toBe(n)
})

const values: Record<string, bigint> = Object.fromEntries(
  (
    'zéro 0 un 1 deux 2 trois 3 quatre 4 cinq 5 six 6 sept 7 huit 8 neuf 9 dix 10 onze 11 douze 12 treize 13 ' +
    'quatorze 14 quinze 15 seize 16 vingt 20 trente 30 quarante 40 cinquante 50 soixante 60'
  )
    .match(/\S+ \d+/g)
    ?.map((pair) => pair.split(' '))
    .map(([word, value]) => [word, BigInt(value ?? 0)]) ?? [],
)
const scales = ['million', 'milliard', 'billion', 'billiard', 'trillion']

function readBack(text: string): bigint {
  let total = 0n
  let group = 0n
  for (const word of text.replaceAll('quatre-vingt', '80').split(/[ -]/)) {
    const stem = word.replace(/s$/, '')
    const scale = scales.indexOf(stem)
    if (word === 'et') continue
    if (stem === '80') group += 80n
    else if (stem === 'cent') group += (group % 100n || 1n) * (group % 100n ? 99n : 100n)
    else if (word === 'mille') group = (group || 1n) * 1000n
    else if (scale >= 0) {
      total += group * 10n ** BigInt(6 + 3 * scale)
      group = 0n
    } else group += values[word] ?? values[stem] ?? notANumeral(word)
  }
  return total + group
}

function notANumeral(word: string): never {
  throw new Error(`not a French numeral: ${word}`)
}
