import { environments, type Environment } from '@einvoicing/domain/environment'
import type { EnvReader } from './env'

/**
 * A process that does not know the platform is live: a specimen printed on a real invoice would
 * stay in the archive for ten years.
 */
export function readEnvironment(env: EnvReader, fallback: Environment = 'live'): Environment {
  return env.oneOf('ENVIRONMENT', environments, fallback)
}
