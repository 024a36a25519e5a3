import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readBusConfig } from '@einvoicing/events/config'
import { openBus } from '@einvoicing/events/open-bus'
import { EnvReader } from '@einvoicing/runtime/env'
import { createLog } from '@einvoicing/runtime/log'
import { describeWithOwn } from '@einvoicing/servers/describe-with'
import { eventually } from '@einvoicing/servers/eventually'
import { startNats, type Nats } from '@einvoicing/servers/nats'
import { openScriptedPlatform, type ScriptedPlatform } from './testdata/scripted-platform'
import { signedEvent } from './testdata/signed'

describeWithOwn('nats-server', 'the process', () => {
  let folder: string
  let nats: Nats
  let platform: ScriptedPlatform
  let child: ChildProcess | undefined
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'clearance-'))
    nats = await startNats()
    platform = await openScriptedPlatform()
  })
  afterAll(async () => {
    child?.kill('SIGKILL')
    await platform.close()
    await nats.dispose()
    await rm(folder, { recursive: true })
  })

  const publish = async (invoiceIds: string[]) => {
    const config = readBusConfig(new EnvReader({ NATS_URL: nats.url }))
    const bus = await openBus(config, createLog('silent'))
    for (const id of invoiceIds) await bus.publish(signedEvent(id, { transmitted: true }))
    await bus.close()
  }

  const start = async () => {
    const secretFile = path.join(folder, 'secret')
    await writeFile(secretFile, 'x'.repeat(64), { mode: 0o600 })
    return fork(path.join(__dirname, 'main.ts'), {
      env: {
        NATS_URL: nats.url,
        CLEARANCE_URL: platform.url,
        CLEARANCE_IN_FLIGHT_MAX: '2',
        CLEARANCE_REQUEST_TIMEOUT_MS: '8000',
        CALLER_SECRET_FILE: secretFile,
        HEALTH_ADDRESS: '127.0.0.1:0',
        LOG_LEVEL: 'silent',
      },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
  }

  const listFinds = () => platform.requests.filter(({ kind }) => kind === 'find')

  it('ends with the calls that run on SIGTERM, and makes none of those that wait', async () => {
    platform.failWith = ({ kind }) =>
      kind === 'find' ? { strikes: 'before', answer: 'silence' } : undefined
    await publish(Array.from({ length: 50 }, (_, n) => `waiting-${n}`))
    child = await start()
    const ended = once(child, 'exit')
    await eventually(() => expect(listFinds()).toHaveLength(2))
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect(listFinds()).toHaveLength(2)
  })
})
