/**
 * An operator's command: lists the events that no handler could take, replays them, or drops them.
 */

import { EnvReader } from '@einvoicing/runtime/env'
import { createLog } from '@einvoicing/runtime/log'
import { readBusConfig } from '../config'
import {
  dropDeadLetter,
  readDeadLetters,
  replayDeadLetter,
  type DeadLetter,
} from '../nats/dead-letters'
import { NatsConnector, type Session } from '../nats/connection'

const usage = `usage: npm run dead-letters -- list
       npm run dead-letters -- replay SEQ… | all
       npm run dead-letters -- drop   SEQ… | all
`

type Action = (session: Session, letter: DeadLetter) => Promise<void> | void

const actions: Record<string, Action> = {
  list: (_, letter) => say(told(letter)),
  replay: async (session, letter) => {
    await replayDeadLetter(session, letter)
    say(`replayed ${letter.seq}`)
  },
  drop: async ({ jsm }, letter) => {
    await dropDeadLetter(jsm, letter)
    say(`dropped ${letter.seq}`)
  },
}

async function main([verb = '', ...chosen]: string[]): Promise<void> {
  const action = actions[verb]
  const isChosen = choice(verb, chosen)
  if (!action || !isChosen) {
    process.stderr.write(usage)
    process.exitCode = 2
    return
  }
  const env = new EnvReader(process.env)
  const config = readBusConfig(env)
  env.throwErrors()
  const link = new NatsConnector(config, {
    prepare: async () => undefined,
    log: createLog('silent'),
  })
  try {
    await link.started
    const session = link.now()
    let found = 0
    for await (const letter of readDeadLetters(session.jsm)) {
      if (!isChosen(letter)) continue
      found += 1
      await action(session, letter)
    }
    if (found === 0) process.stderr.write(verb === 'list' ? 'none\n' : 'no such dead letter\n')
  } finally {
    await link.close()
  }
}

function choice(verb: string, chosen: string[]): ((letter: DeadLetter) => boolean) | undefined {
  if (verb === 'list' && chosen.length === 0) return () => true
  if (chosen.length === 1 && chosen[0] === 'all') return () => true
  const isNumbers = chosen.length > 0 && chosen.every((text) => /^\d+$/.test(text))
  return verb !== 'list' && isNumbers ? ({ seq }) => chosen.includes(String(seq)) : undefined
}

/** One JSON object a line, as logs are. */
function told({ data, ...letter }: DeadLetter): string {
  return JSON.stringify({ ...letter, content: new TextDecoder().decode(data) })
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
})
