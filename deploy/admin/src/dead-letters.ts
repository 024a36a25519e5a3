import { readBusConfig } from '@einvoicing/events/config'
import type { DeadLetter } from '@einvoicing/events/nats/dead-letters'
import { openDeadLetters, type DeadLetters } from '@einvoicing/events/nats/open-dead-letters'
import { EnvReader } from '@einvoicing/runtime/env'
import type { Shell } from './shell'

/** One JSON object a line, with `--json` or without. */
export async function list(shell: Shell): Promise<void> {
  const found = await forEachLetter(shell, ['all'], async (_, { data, ...letter }) => {
    const listed = { ...letter, content: new TextDecoder().decode(data) }
    shell.print(JSON.stringify(listed), listed)
  })
  if (found === 0) shell.note('none')
}

export async function replay(shell: Shell, chosen: readonly string[]): Promise<void> {
  const found = await forEachLetter(shell, chosen, async (letters, letter) => {
    await letters.replay(letter)
    shell.print(`replayed ${letter.seq}`, { seq: letter.seq, replayed: true })
  })
  if (found === 0) shell.note('no such dead letter')
}

export async function drop(shell: Shell, chosen: readonly string[]): Promise<void> {
  const found = await forEachLetter(shell, chosen, async (letters, letter) => {
    await letters.drop(letter)
    shell.print(`dropped ${letter.seq}`, { seq: letter.seq, dropped: true })
  })
  if (found === 0) shell.note('no such dead letter')
}

/** `chosen`: sequence numbers, or `all`. Returns how many there were. */
async function forEachLetter(
  shell: Shell,
  chosen: readonly string[],
  act: (letters: DeadLetters, letter: DeadLetter) => Promise<void>,
): Promise<number> {
  const env = new EnvReader(shell.environment)
  const config = readBusConfig(env)
  env.throwErrors()
  const letters = await openDeadLetters(config)
  let found = 0
  try {
    for await (const letter of letters.list()) {
      if (!chosen.includes('all') && !chosen.includes(String(letter.seq))) continue
      found += 1
      await act(letters, letter)
    }
  } finally {
    await letters.close()
  }
  return found
}
