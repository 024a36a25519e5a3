import type { Call } from '@einvoicing/rpc/call'
import type { Clock } from '@einvoicing/runtime/clock'
import type { Log } from '@einvoicing/runtime/log'
import type { RandomBytes } from './api-key'
import type { AttemptGuards } from './attempt-guards'
import type { DigestRenewals } from './digest-renewals'
import type { FailedSignIns } from './failed-sign-ins'
import type { CodeGuard } from './second-factor/code-guard'
import type { ReadFactorKeys } from './second-factor/keys'
import type { LastUses } from './last-uses'
import type { MailQueue } from './mail/mail'
import type { Passwords } from './password'
import type { ReadPeppers } from './pepper'
import type { ResetGuard } from './reset-guard'
import type { SignUp } from './config'
import type { BatchedMoments } from './batched-moments'
import type { SignInGuard } from './sign-in-guard'
import type { OrganizationStore } from './store/store'

export type ByCaller = Pick<Call, 'caller'>

export interface Deps extends AttemptGuards {
  store: OrganizationStore
  signUp: SignUp
  verifiesEmail: boolean
  sessionIdleMs: number
  peppers: ReadPeppers
  passwords: Passwords
  signInGuard: SignInGuard
  resetGuard: ResetGuard
  verificationGuard: ResetGuard
  codeGuard: CodeGuard
  factorKeys: ReadFactorKeys
  failedSignIns: FailedSignIns
  lastUses: LastUses
  renewals: DigestRenewals
  sightings: BatchedMoments
  mailer: MailQueue
  newId: () => string
  randomBytes: RandomBytes
  now: Clock
  log: Log
}
