// A process of its own, at low priority: its work never slows a creation, and its crash does not
// end the service. It is restarted when it ends by itself.

import { fork, type ChildProcess } from 'node:child_process'
import type { Log } from '@einvoicing/runtime/log'
import type { Closable } from '@einvoicing/runtime/serve'

export interface SimulatorConfig {
  port: number
  /** Its address in QR codes; default: its own. */
  publicUrl?: string | undefined
  /** Default: the certificate of the signer's own authority. */
  trustedCertificateFile: string | undefined
  crlSeconds?: string | undefined
  /** Of its time-stamp authority; default: its own. */
  tsaUrl?: string | undefined
  tsaCertificateDays?: string | undefined
  /** Without a mail server: what it shows. */
  mailFolder?: string | undefined
}

export interface SimulatorOptions extends SimulatorConfig {
  dataDir: string
  log: Log
}

const startDeadlineMs = 60_000
const restartAfterMs = 1_000

/** Resolves once it listens; throws one sentence if it cannot. */
export async function startSimulator(
  options: SimulatorOptions,
  mainFile = require.resolve('@einvoicing/simulator/main'),
): Promise<Closable> {
  const { log } = options
  let child = forkSimulator(options, mainFile)
  let closing = false
  let restart: NodeJS.Timeout | undefined

  const startAgainLater = () => {
    if (!closing) restart = setTimeout(() => void startAgain(), restartAfterMs)
  }
  const startAgain = async () => {
    child = forkSimulator(options, mainFile)
    try {
      await untilReady(child, options.port)
      watch()
    } catch (err) {
      if (!closing) log.error({ err }, 'the simulator could not be started')
      startAgainLater()
    }
  }
  const watch = () =>
    child.once('exit', (code, signal) => {
      if (!closing) log.error({ code, signal }, 'the simulator exited, restarting it')
      startAgainLater()
    })
  await untilReady(child, options.port)
  watch()

  return {
    async close() {
      closing = true
      clearTimeout(restart)
      await release(child)
    },
  }
}

function forkSimulator(options: SimulatorOptions, mainFile: string): ChildProcess {
  const child = fork(mainFile, {
    env: {
      HOST: '127.0.0.1',
      SIMULATOR_PORT: String(options.port),
      SIMULATOR_DATA_DIR: options.dataDir,
      SIMULATOR_TRUSTED_CERTIFICATES: options.trustedCertificateFile,
      SIMULATOR_PUBLIC_URL: options.publicUrl,
      SANDBOX_CRL_SECONDS: options.crlSeconds,
      SANDBOX_TSA_URL: options.tsaUrl,
      SANDBOX_TSA_CERTIFICATE_DAYS: options.tsaCertificateDays,
      SIMULATOR_MAIL_FOLDER: options.mailFolder,
      LOG_LEVEL: options.log.level,
    },
  })
  // Without a listener, a failed spawn would end this process.
  child.on('error', (err) => options.log.error({ err }, 'the simulator process failed'))
  return child
}

function untilReady(child: ChildProcess, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => {
      settle()
      reject(new Error(`The simulator did not start on SIMULATOR_PORT ${port}${reason}.`))
    }
    const onEnd = () => fail('; its own message is above')
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      fail(' in time')
    }, startDeadlineMs)
    const settle = () => {
      clearTimeout(timer)
      child.off('exit', onEnd).off('error', onEnd)
    }
    child.once('exit', onEnd).once('error', onEnd)
    child.once('message', () => {
      settle()
      resolve()
    })
  })
}

async function release(child: ChildProcess): Promise<void> {
  const neverRan = child.pid === undefined
  if (neverRan || child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  if (child.connected) child.disconnect()
  await ended
}
