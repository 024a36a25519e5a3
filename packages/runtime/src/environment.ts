import { environments, type Environment } from '@einvoicing/domain/environment'
import type { EnvReader } from './env'

/** Live when unknown: a specimen printed on a real invoice would stay for ten years. */
export function readEnvironment(env: EnvReader, fallback: Environment = 'live'): Environment {
  return env.oneOf('ENVIRONMENT', environments, fallback)
}
