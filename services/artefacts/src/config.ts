/** Settings of this service. */

import path from 'node:path'
import type { EnvReader } from '@einvoicing/kernel/env'

/** Where artefacts are kept. */
export type ArtefactsConfig = { kind: 'filesystem'; directory: string }

/** The archive is the folder `artefacts` of the data folder. */
export function readArtefactsConfig(_env: EnvReader, dataDir: string): ArtefactsConfig {
  return { kind: 'filesystem', directory: path.join(dataDir, 'artefacts') }
}
