import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '@einvoicing/runtime/log'
import { closeAll, type Closable } from '@einvoicing/runtime/serve'
import { createHash } from 'node:crypto'
import { createApp } from './http/app'
import { DecisionLoop, type Examine, type StampInvoice } from './decision-loop'
import { listen, type Address } from './http/listen'
import { CurrentBehaviour, type Platform } from './platform'
import { createShortCode } from './short-code'
import { openStampKey, signStamp, stampHash } from './qr-payload'
import { SubmissionStore } from './submission-store'
import { openSandboxTsa } from './time-stamps/authority'

export interface SimulatorOptions {
  address: Address
  dataDir: string
  publicUrl: string | undefined
  crlSeconds: number
  tsaUrl?: string | undefined
  tsaCertificateDays: number
  mailFolder?: string | undefined
  examine: Examine
  now: () => Date
  chance: () => number
  log: Log
}

export interface Simulator extends Closable {
  port: number
}

/** Throws `PortTaken`. */
export async function openSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { address, dataDir, examine, now, log } = options
  mkdirSync(dataDir, { recursive: true })
  const stampKey = await openStampKey(join(dataDir, 'stamp-key.pem'))
  const tsa = await openSandboxTsa(options)
  const opened: Closable[] = []
  const listener = await listen(
    address,
    (port) => {
      // The store opens once the port is ours: two processes must not decide the same submissions.
      const store = new SubmissionStore(join(dataDir, 'submissions.db'))
      const origin = options.publicUrl ?? toOrigin(address.host, port)
      const stamp: StampInvoice = (invoice, reference, { document, sequence }) => {
        const documentHash = stampHash(createHash('sha256').update(document).digest('hex'))
        const qrPayload = signStamp({ ...invoice, reference, documentHash }, stampKey)
        return { qrCode: `${origin}/v/${createShortCode(sequence, stampKey)}`, qrPayload }
      }
      const behaviour = new CurrentBehaviour(options.chance)
      const decisions = new DecisionLoop({
        store,
        examine,
        stamp,
        behaviour: behaviour.current,
        now,
        log,
      })
      opened.push(store, decisions)
      const platform: Platform = { store, decisions, behaviour, now }
      const { publicUrl, mailFolder } = options
      return createApp({ platform, tsa, stampKey, publicUrl, mailFolder, log })
    },
    { log },
  )
  opened.push(listener)
  const tsaUrl = options.tsaUrl ?? `${toOrigin(address.host, listener.port)}/tsa`
  await tsa.nameList(`${tsaUrl}/crl`)
  return { port: listener.port, close: () => closeAll(opened, log) }
}

function toOrigin(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
