/** The dictionaries are loaded with the first password. */

import {
  findPasswordWeakness,
  passwordWeaknessTexts,
  type EstimateGuesses,
  type PasswordOwner,
} from '@einvoicing/domain/password-rule'
import { findPasswordError } from './password'

let estimator: Promise<EstimateGuesses> | undefined

/** A sentence about what is wrong, or `undefined`. */
export async function findNewPasswordError(
  password: string,
  owner: PasswordOwner,
): Promise<string | undefined> {
  const error = findPasswordError(password)
  if (error !== undefined) return error
  estimator ??= createEstimator()
  const weakness = findPasswordWeakness(password, owner, await estimator)
  return weakness && passwordWeaknessTexts[weakness]
}

async function createEstimator(): Promise<EstimateGuesses> {
  const { ZxcvbnFactory } = await import('@zxcvbn-ts/core')
  const common = await import('@zxcvbn-ts/language-common')
  const english = await import('@zxcvbn-ts/language-en')
  const french = await import('@zxcvbn-ts/language-fr')
  const dictionary = {
    ...common.dictionary,
    ...withoutLarge(english.dictionary),
    ...withoutLarge(french.dictionary),
  }
  // A password made to match more substitutions takes seconds.
  const options = { dictionary, graphs: common.adjacencyGraphs, l33tMaxSubstitutions: 1 }
  const estimate = new ZxcvbnFactory(options)
  return (password, ownWords) => estimate.check(password, ownWords).guesses
}

// Wikipedia words and family names: megabytes that reject hardly any more passwords.
function withoutLarge(dictionary: Readonly<Record<string, string[]>>) {
  const kept = Object.entries(dictionary).filter(([name]) => !/wikipedia|lastnames/.test(name))
  return Object.fromEntries(kept)
}
