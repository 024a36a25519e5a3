import type { EnvReader } from '@einvoicing/runtime/env'
import { algorithmEnds, algorithmNames } from '@einvoicing/verification/algorithm-ends'
import type { RenewalConfig } from './renew-by'

const beforeDaysMax = 3_650

export function readRenewalConfig(env: EnvReader): RenewalConfig {
  const beforeDays = env.integer('EVIDENCE_RENEW_BEFORE_DAYS', 365, { min: 1, max: beforeDaysMax })
  return { beforeDays, algorithmEnds: { ...algorithmEnds, ...readEnds(env) } }
}

/** `sha256=2035-01-01,ecp256=2035-01-01` */
function readEnds(env: EnvReader): Record<string, string> {
  const text = env.optionalText('EVIDENCE_ALGORITHM_ENDS')
  const entries = (text ?? '').split(',').flatMap((entry) => {
    if (entry.trim() === '') return []
    const [name = '', end = ''] = entry.trim().split('=')
    const isKnown = (algorithmNames as readonly string[]).includes(name)
    const isDate = /^\d{4}-\d\d-\d\d$/.test(end) && !Number.isNaN(Date.parse(end))
    if (isKnown && isDate) return [[name, end]]
    return env.addError(
      `EVIDENCE_ALGORITHM_ENDS must be algorithms with a date, such as sha256=2035-01-01,ecp256=2035-01-01; algorithms: ${algorithmNames.join(', ')}`,
      [],
    )
  })
  return Object.fromEntries(entries) as Record<string, string>
}
