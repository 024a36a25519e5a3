/** Refuses passwords that are guessed first. The dictionaries are read at the first password. */

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
  // More substitutions than one take seconds for a hostile password.
  const options = { dictionary, graphs: common.adjacencyGraphs, l33tMaxSubstitutions: 1 }
  const estimate = new ZxcvbnFactory(options)
  return (password, ownWords) => estimate.check(password, ownWords).guesses
}

// Words of an encyclopedia and family names: megabytes that reject hardly anything more.
function withoutLarge(dictionary: Readonly<Record<string, string[]>>) {
  const kept = Object.entries(dictionary).filter(([name]) => !/wikipedia|lastnames/.test(name))
  return Object.fromEntries(kept)
}
