import { readBusConfig } from '@einvoicing/events/config'
import { NotReplayableError, type DeadLetter } from '@einvoicing/events/nats/dead-letters'
import { openDeadLetters, type DeadLetters } from '@einvoicing/events/nats/open-dead-letters'
import { EnvReader } from '@einvoicing/runtime/env'
import type { Shell } from './shell'

/** One JSON object a line, with `--json` or without. */
export async function list(shell: Shell): Promise<void> {
  await forEachLetter(shell, ['all'], async (_, { data, ...letter }) => {
    const listed = { ...letter, content: new TextDecoder().decode(data) }
    shell.print(JSON.stringify(listed), listed)
  })
}

/** Exit status 1 when a given number has no dead letter, or one that can only be dropped. */
export async function replay(shell: Shell, chosen: readonly string[]): Promise<number> {
  let refused = 0
  const status = await forEachLetter(shell, chosen, async (letters, letter) => {
    try {
      await letters.replay(letter)
      shell.print(`replayed ${letter.seq}`, { seq: letter.seq, replayed: true })
    } catch (error) {
      if (!(error instanceof NotReplayableError)) throw error
      refused += 1
      shell.note(error.message)
    }
  })
  return refused > 0 ? 1 : status
}

export function drop(shell: Shell, chosen: readonly string[]): Promise<number> {
  return forEachLetter(shell, chosen, async (letters, letter) => {
    await letters.drop(letter)
    shell.print(`dropped ${letter.seq}`, { seq: letter.seq, dropped: true })
  })
}

async function forEachLetter(
  shell: Shell,
  chosen: readonly string[],
  act: (letters: DeadLetters, letter: DeadLetter) => Promise<void>,
): Promise<number> {
  const isAll = chosen.includes('all')
  const unknown = new Set(isAll ? [] : chosen.map(Number))
  const env = new EnvReader(shell.environment)
  const config = readBusConfig(env)
  env.throwErrors()
  const letters = await openDeadLetters(config)
  let found = 0
  try {
    for await (const letter of letters.list()) {
      if (!unknown.delete(letter.seq) && !isAll) continue
      found += 1
      await act(letters, letter)
    }
  } finally {
    await letters.close()
  }
  if (isAll && found === 0) shell.note('none')
  for (const seq of unknown) shell.note(`${seq} is not a dead letter`)
  return unknown.size === 0 ? 0 : 1
}
