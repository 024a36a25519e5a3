/**
 * The clearance platform as a process of its own, trusting the certificate of a data folder, for
 * when it comes later than the service.
 */

import path from 'node:path'
import { eventually } from '@einvoicing/servers/eventually'
import { spawnService } from '../stack/service-process'
import { submissionTotal } from './record'

export async function startPlatform({ port, dataDir }: { port: number; dataDir: string }) {
  const platform = spawnService({
    main: 'simulator',
    env: {
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      SIMULATOR_PORT: String(port),
      SIMULATOR_DATA_DIR: path.join(dataDir, 'platform'),
      SIMULATOR_TRUSTED_CERTIFICATES: path.join(dataDir, 'signer', 'trusted-certificate.pem'),
    },
  })
  const url = `http://127.0.0.1:${port}`
  try {
    await eventually(() => submissionTotal(url))
  } catch (error) {
    const { stderr } = await platform.signal('SIGKILL')
    throw new Error(`the platform did not start: ${stderr}`, { cause: error })
  }
  return { url, stop: () => platform.signal('SIGTERM') }
}
