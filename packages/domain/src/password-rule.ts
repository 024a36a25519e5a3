/** More guesses than an attacker makes who tries likely passwords first. */
export const passwordGuessesMin = 9_000_000
/** Estimating takes time that grows with the square of the length. */
const passwordEstimatedLength = 24

export type PasswordWeakness = 'common' | 'own-words'

export type EstimateGuesses = (password: string, ownWords: string[]) => number

export interface PasswordOwner {
  email: string
  organizationName?: string | undefined
}

// Shorter ones are in many words.
const ownWordLengthMin = 4
// Beside own words: a year, a digit and a sign.
const restLengthMin = 5

export function findPasswordWeakness(
  password: string,
  owner: PasswordOwner,
  estimate: EstimateGuesses,
): PasswordWeakness | undefined {
  const own = readOwnWords(owner)
  if (isMadeOf(own, password)) return 'own-words'
  const beginning = [...password].slice(0, passwordEstimatedLength).join('')
  return estimate(beginning, own) < passwordGuessesMin ? 'common' : undefined
}

export const passwordWeaknessTexts: Readonly<Record<PasswordWeakness, string>> = {
  common: 'is too easy to guess: it is a common password or a simple pattern; try several words',
  'own-words':
    'is too easy to guess: it repeats your own email or organization; choose other words',
}

function readOwnWords({ email, organizationName = '' }: PasswordOwner): string[] {
  return fold(`${email} ${organizationName}`)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= ownWordLengthMin)
}

function isMadeOf(own: readonly string[], password: string): boolean {
  const folded = fold(password)
  // The longest first, so that none hides in another.
  const rest = own
    .toSorted((one, other) => other.length - one.length)
    .reduce((text, word) => text.replaceAll(word, ''), folded)
  return rest !== folded && [...rest.replace(/[^\p{L}]/gu, '')].length < restLengthMin
}

function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
