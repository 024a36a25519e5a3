import type { Clock } from '@einvoicing/runtime/clock'
import type { Log } from '@einvoicing/runtime/log'
import type { RandomBytes } from './api-key'
import type { DigestRenewals } from './digest-renewals'
import type { FailedSignIns } from './failed-sign-ins'
import type { EmailChangeGuard } from './email-change-guard'
import type { CodeGuard } from './second-factor/code-guard'
import type { RecoveryCodesGuard } from './second-factor/recovery-codes-guard'
import type { AskFactorKeys } from './second-factor/keys'
import type { GuessGuard } from './guess-guard'
import type { LastUses } from './last-uses'
import type { MailQueue } from './mail/mail'
import type { Passwords } from './password'
import type { AskPeppers } from './pepper'
import type { ResetGuard } from './reset-guard'
import type { SignUp } from './config'
import type { BatchedMoments } from './batched-moments'
import type { SignInGuard } from './sign-in-guard'
import type { SignUpGuard } from './sign-up-guard'
import type { OrganizationStore } from './store/store'

export interface Deps {
  store: OrganizationStore
  signUp: SignUp
  verifiesEmail: boolean
  sessionIdleMs: number
  peppers: AskPeppers
  passwords: Passwords
  signInGuard: SignInGuard
  signUpGuard: SignUpGuard
  tokenGuard: GuessGuard
  resetGuard: ResetGuard
  verificationGuard: ResetGuard
  emailChangeGuard: EmailChangeGuard
  codeGuard: CodeGuard
  recoveryCodesGuard: RecoveryCodesGuard
  factorKeys: AskFactorKeys
  emailTakenGuard: GuessGuard
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
