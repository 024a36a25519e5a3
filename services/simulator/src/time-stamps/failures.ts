import type { Behaviour } from '../behaviour'
import type { RandomSource } from '../seeded-random'

/** `error` answers 503, `cut` closes the connection; the others are answers that prove nothing. */
export type TsaFailure =
  | 'error'
  | 'cut'
  | 'rejection'
  | 'wrongImprint'
  | 'wrongNonce'
  | 'oldTime'
  | 'untrusted'
  | 'wrongUsage'

const rates = {
  error: 'tsaErrorRate',
  cut: 'tsaCutRate',
  rejection: 'tsaRejectionRate',
  wrongImprint: 'tsaWrongImprintRate',
  wrongNonce: 'tsaWrongNonceRate',
  oldTime: 'tsaOldTimeRate',
  untrusted: 'tsaUntrustedRate',
  wrongUsage: 'tsaWrongUsageRate',
} as const satisfies Record<TsaFailure, keyof Behaviour>

/** Draws once per rate above zero, in this order; the first hit is injected. */
export function drawTsaFailure(behaviour: Behaviour, random: RandomSource): TsaFailure | undefined {
  return (Object.keys(rates) as TsaFailure[]).find((name) => {
    const rate = behaviour[rates[name]]
    return rate > 0 && random() < rate
  })
}
