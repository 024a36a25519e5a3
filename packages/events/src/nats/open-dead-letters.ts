import { createLog } from '@einvoicing/runtime/log'
import type { BusConfig } from '../config'
import { dropDeadLetter, readDeadLetters, replayDeadLetter, type DeadLetter } from './dead-letters'
import { NatsConnector } from './connection'

export interface DeadLetters {
  list(): AsyncIterable<DeadLetter>
  replay(letter: DeadLetter): Promise<void>
  drop(letter: DeadLetter): Promise<void>
  close(): Promise<void>
}

export async function openDeadLetters(config: BusConfig): Promise<DeadLetters> {
  const connector = new NatsConnector(config, {
    prepare: async () => undefined,
    log: createLog('silent'),
  })
  try {
    await connector.started
    const session = connector.getSession()
    return {
      list: () => readDeadLetters(session.jsm),
      replay: (letter) => replayDeadLetter(session, letter),
      drop: (letter) => dropDeadLetter(session.jsm, letter),
      close: () => connector.close(),
    }
  } catch (error) {
    await connector.close()
    throw error
  }
}
