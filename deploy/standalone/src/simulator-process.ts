/**
 * The built-in clearance platform, as a process of its own: it verifies at low priority and never
 * slows a creation, and its crash is not ours. It ends with us, and is started again when it ends
 * by itself.
 */

import { fork, type ChildProcess } from 'node:child_process'
import type { Log } from '@einvoicing/kernel/log'
import type { Closable } from '@einvoicing/kernel/serve'

export interface SimulatorOptions {
  host: string
  port: number
  dataDir: string
  /** Where those who scan a QR reach it; its own address when absent. */
  publicUrl: string | undefined
  /** PEM file with the certificates it shall trust. */
  trustedCertificateFile: string
  log: Log
}

const startDeadlineMs = 20_000
const restartAfterMs = 1_000

/** Resolves once it listens; throws one clear sentence when it cannot. */
export async function startSimulator(options: SimulatorOptions): Promise<Closable> {
  let child = await forkSimulator(options)
  let closing = false

  const watch = () =>
    child.once('exit', (code, signal) => {
      if (closing) return
      options.log.error({ code, signal }, 'the simulator ended, starting it again')
      setTimeout(() => void restart(), restartAfterMs)
    })
  const restart = async () => {
    if (closing) return
    try {
      child = await forkSimulator(options)
      watch()
    } catch (err) {
      options.log.error({ err }, 'the simulator does not start')
      setTimeout(() => void restart(), restartAfterMs)
    }
  }
  watch()

  return {
    async close() {
      closing = true
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise((resolve) => child.once('exit', resolve))
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

function forkSimulator(options: SimulatorOptions): Promise<ChildProcess> {
  const child = fork(require.resolve('@einvoicing/simulator/main'), {
    env: {
      HOST: options.host,
      SIMULATOR_PORT: String(options.port),
      SIMULATOR_DATA_DIR: options.dataDir,
      SIMULATOR_TRUSTED_CERTIFICATES: options.trustedCertificateFile,
      SIMULATOR_PUBLIC_URL: options.publicUrl,
      LOG_LEVEL: options.log.level,
    },
  })
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`The simulator did not start on SIMULATOR_PORT ${options.port} in time.`))
    }, startDeadlineMs)
    child.once('message', () => {
      clearTimeout(timer)
      child.removeAllListeners('exit')
      resolve(child)
    })
    child.once('exit', () => {
      clearTimeout(timer)
      reject(
        new Error(
          `The simulator did not start on SIMULATOR_PORT ${options.port}; its own message is above.`,
        ),
      )
    })
  })
}
