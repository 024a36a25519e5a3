import { describeWithOwn } from './describe-with'
import { type Nats, startNats } from './nats'
import { probeTcp } from './probes'

const stream = JSON.stringify({ name: 'events', subjects: ['events.>'], storage: 'file' })

/** Publishes a text on a subject, by NATS' own protocol, and expects an answer. */
function send(
  nats: Nats,
  subject: string,
  text: string,
  expected: RegExp,
  deadlineMs = 30_000,
): Promise<void> {
  const question = `CONNECT {}\r\nSUB answers 1\r\nPUB ${subject} answers ${text.length}\r\n${text}\r\n`
  return probeTcp(Number(new URL(nats.url).port), question, expected, deadlineMs)
}

describeWithOwn('nats-server', 'NATS', () => {
  let nats: Nats
  beforeAll(async () => {
    nats = await startNats()
    await send(nats, '$JS.API.STREAM.CREATE.events', stream, /"name":"events"/)
  })
  afterAll(() => nats.dispose())

  test('keeps what it acknowledged when it is killed right after', async () => {
    for (const number of [1, 2, 3]) {
      await send(nats, 'events.sent', 'an event', new RegExp(`"seq":${number}\\b`))
      await nats.kill9()
      await nats.start()
    }
    await send(nats, '$JS.API.STREAM.INFO.events', '', /"messages":3\b/)
  })

  test('does not answer while paused, and continues afterwards', async () => {
    await nats.pause()
    await expect(send(nats, '$JS.API.INFO', '', /"streams":/, 1_500)).rejects.toThrow('no answer')
    await nats.resume()
    await send(nats, '$JS.API.INFO', '', /"streams":1\b/)
  })

  test('is empty again when its store was deleted', async () => {
    await nats.deleteStore()
    await nats.start()
    await send(nats, '$JS.API.STREAM.INFO.events', '', /stream not found/)
  })

  test('rejects access without the password', async () => {
    const guarded = await startNats({ credentials: { user: 'u', password: 'p "x' } })
    await expect(send(guarded, '$JS.API.INFO', '', /"streams":/)).rejects.toThrow(
      'Authorization Violation',
    )
    await guarded.dispose()
  })
})
