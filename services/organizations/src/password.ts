/** OWASP Password Storage Cheat Sheet: 19 MiB, 2 passes, 1 lane. Throws `SERVICE_UNAVAILABLE`. */

import { hash, verify, type Options } from '@node-rs/argon2'
import { clientSite } from '@einvoicing/access/client-network'
import { deadlinesMs, limits } from '@einvoicing/domain/limits'
import { unavailable } from '@einvoicing/domain/api-error'
import { Slots } from '@einvoicing/runtime/slots'

// argon2id is the default; its name is a const enum, which swc cannot import.
const parameters: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const { passwordLengthMin, passwordLengthMax } = limits
/** Each takes 19 MiB and a core. */
export const hashesAtOnce = 2
export const hashesWaitingMax = 100

export function findPasswordError(password: string): string | undefined {
  const { length } = [...password]
  if (length < passwordLengthMin) {
    return `must have at least ${passwordLengthMin} characters: shorter passwords are easy to guess`
  }
  if (length > passwordLengthMax) {
    return `must have at most ${passwordLengthMax} characters`
  }
  if (password.trim() === '') return 'must not consist only of spaces'
  return undefined
}

/** Those that wait take turns by `lane`: the client's network (its site), or a session's user. */
export class Passwords {
  private readonly slots = new Slots({
    count: hashesAtOnce,
    waitingMax: hashesWaitingMax,
    toError,
  })
  /** Verified when there is no such user, so that both answers take the same time. */
  private readonly dummyHash: string

  private constructor(dummyHash: string) {
    this.dummyHash = dummyHash
  }

  static async open(): Promise<Passwords> {
    return new Passwords(await hash('no user has this password', parameters))
  }

  hash(password: string, lane: string): Promise<string> {
    return this.inTurn(lane, () => hash(prepared(password), parameters))
  }

  hashWith(salt: Buffer, text: string, lane: string): Promise<string> {
    return this.inTurn(lane, () => hash(text, { ...parameters, salt }))
  }

  async matches(
    password: string,
    passwordHash: string | undefined,
    lane: string,
  ): Promise<boolean> {
    const matched = await this.inTurn(lane, () =>
      verify(passwordHash ?? this.dummyHash, prepared(password)),
    )
    return matched && passwordHash !== undefined
  }

  private inTurn<T>(lane: string, work: () => Promise<T>): Promise<T> {
    return this.slots.run(clientSite(lane), AbortSignal.timeout(deadlinesMs.rpc), work)
  }
}

function toError(): Error {
  return unavailable('Signing in', new Error('too many passwords are waiting'))
}

/** Unicode NFKC: keyboards write é as one character or as two. Too long: matches no password. */
function prepared(password: string): string {
  return password.slice(0, passwordLengthMax + 1).normalize('NFKC')
}
