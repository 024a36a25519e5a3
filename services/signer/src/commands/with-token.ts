import type { KeyCommandConfig } from '../config'
import { loadCryptoki } from '../token/cryptoki'
import { readPin } from '../token/pin-file'
import { openToken, type Token } from '../token/token'
import { findReturnValue, toTokenError } from '../token/token-error'

export async function withToken<T>(
  { key }: KeyCommandConfig,
  work: (token: Token) => Promise<T>,
): Promise<T> {
  const { tokenLabel } = key.token
  try {
    const pin = await readPin(key.pinFile)
    const cryptoki = await loadCryptoki(key.module)
    const result = await work(openToken(cryptoki, { tokenLabel, pin }, true))
    cryptoki.C_Finalize()
    return result
  } catch (error) {
    throw findReturnValue(error) === undefined ? error : toTokenError(error, tokenLabel)
  }
}
