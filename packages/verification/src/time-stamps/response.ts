/** RFC 3161, section 2.4.2. */

import { DerError, readChildren, readElement, readInteger, tags } from '../der'
import { TimeStampError } from './check-token'

const granted = [0n, 1n] // granted, grantedWithMods

/** Throws `TimeStampError` when none was granted. */
export function readResponse(bytes: Buffer): Buffer {
  try {
    const [status, token] = readChildren(readElement(bytes), tags.sequence)
    const [code, texts] = readChildren(status, tags.sequence)
    if (granted.includes(readInteger(code)) && token) return token.bytes
    const reason = texts?.tag === tags.sequence ? readChildren(texts, tags.sequence) : []
    const text = reason.map(({ content }) => content.toString('utf8').slice(0, 200)).join('; ')
    throw new TimeStampError(`the authority issued no time stamp${text && `: ${text}`}`)
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    throw new TimeStampError('the answer is not a time stamp', { cause: error })
  }
}
