/**
 * The clearance platform as a process of its own, trusting the certificate of a data folder, for
 * when it comes later than the service.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { eventually } from '../stack/eventually'
import { submissionTotal } from './record'

const mainFile = path.join(__dirname, '../../services/simulator/dist/main.js')

export async function startPlatform({ port, dataDir }: { port: number; dataDir: string }) {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [mainFile], {
    stdio: 'inherit',
    env: {
      PATH,
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      SIMULATOR_PORT: String(port),
      SIMULATOR_DATA_DIR: path.join(dataDir, 'platform'),
      SIMULATOR_TRUSTED_CERTIFICATES: path.join(dataDir, 'signer', 'trusted-certificate.pem'),
    },
  })
  const url = `http://127.0.0.1:${port}`
  const ended = once(child, 'exit')
  await eventually(() => submissionTotal(url))
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
