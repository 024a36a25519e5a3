/** Loaded when a password is chosen. The service also knows larger dictionaries. */

import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import type { EstimateGuesses } from '@einvoicing/domain/password-rule'

export function createEstimate(): EstimateGuesses {
  const options = { dictionary, graphs: adjacencyGraphs, l33tMaxSubstitutions: 1 }
  const estimator = new ZxcvbnFactory(options)
  return (password, ownWords) => estimator.check(password, ownWords).guesses
}
