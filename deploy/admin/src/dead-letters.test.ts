import { natsBed } from '@einvoicing/events/testdata/nats-bed'
import { describeWithOwn } from '@einvoicing/servers/describe-with'
import { eventually } from '@einvoicing/servers/eventually'
import { startNats, type Nats } from '@einvoicing/servers/nats'
import { drop, list, replay } from './dead-letters'

describeWithOwn('nats-server', 'dead letters', () => {
  let server: Nats
  const bed = natsBed(() => server.url)
  beforeAll(async () => void (server = await startNats()))
  afterEach(() => bed.clear())
  afterAll(() => server.dispose())

  beforeEach(async () => {
    const bus = await bed.open()
    bus.subscribe('invoice.signed', { name: 'clearance', inFlightMax: 1 }, async () => undefined)
    for (const place of ['a', 'b']) {
      await bed.bare(({ js }) => js.publish(`einvoicing.invoice.signed.${place}`, 'garbage'))
    }
    await eventually(async () => {
      const { state } = await bed.bare(({ jsm }) => jsm.streams.info('einvoicing-dead-letters'))
      expect(state.messages).toBe(2)
    })
    await bus.close()
  })

  async function run<T>(command: (shell: Parameters<typeof list>[0]) => Promise<T>) {
    const printed: string[] = []
    const notes: string[] = []
    const status = await command({
      environment: { NATS_URL: server.url },
      operator: 'Anna',
      print: (text) => void printed.push(text),
      note: (text) => void notes.push(text),
    })
    return { status, printed, notes }
  }

  it.each([
    ['dropped', drop],
    ['replayed', replay],
  ] as const)('says which numbers are not there, and those that are are %s', async (done, act) => {
    expect(await run((shell) => act(shell, ['7', '2', '9']))).toEqual({
      status: 1,
      printed: [`${done} 2`],
      notes: ['7 is not a dead letter', '9 is not a dead letter'],
    })
    const rest = { status: 0, printed: [`${done} 1`], notes: [] }
    expect(await run((shell) => act(shell, ['1']))).toEqual(rest)
  })

  it('replays the others when one cannot be, and ends with 1', async () => {
    await bed.bare(({ js }) => js.publish('einvoicing.dead-letters.clearance.x', 'garbage'))
    expect(await run((shell) => replay(shell, ['3', '1']))).toEqual({
      status: 1,
      printed: ['replayed 1'],
      notes: [expect.stringMatching(/^3 can only be dropped: it holds no event for clearance/)],
    })
    await bed.bare(({ js }) => js.publish('einvoicing.dead-letters.clearance.a', 'garbage'))
    expect(await run((shell) => replay(shell, ['all']))).toMatchObject({
      status: 1,
      printed: ['replayed 2'],
      notes: [expect.stringMatching(/^3 /), expect.stringMatching(/^4 /)],
    })
  })

  it('all of none are none', async () => {
    await run((shell) => drop(shell, ['all']))
    const none = { printed: [], notes: ['none'] }
    expect(await run(list)).toMatchObject(none)
    expect(await run((shell) => drop(shell, ['all']))).toEqual({ ...none, status: 0 })
  })
})
