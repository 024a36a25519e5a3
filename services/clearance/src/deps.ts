import type { Bus } from '@einvoicing/events/bus'
import type { Clock } from '@einvoicing/runtime/clock'
import type { Log } from '@einvoicing/runtime/log'
import type { Authority } from './authority/authority'
import type { Guard } from './authority/guard'
import type { ClearanceConfig } from './config'
import type { PollSlots } from './poll-slots'
import type { ReadSignedXml } from './signed-xml'
import type { Troubles } from './troubles'

export interface Deps {
  config: Pick<ClearanceConfig, 'giveUpAfterMs' | 'pace'>
  authority: Authority
  guard: Guard
  polls: PollSlots
  bus: Bus
  readSignedXml: ReadSignedXml
  now: Clock
  /** In [0, 1). */
  random: () => number
  troubles: Troubles
  log: Log
}
