import { PassThrough } from 'node:stream'
import { createLog } from './log'
import { closeAll } from './serve'

function logInto(lines: string[]) {
  const stream = new PassThrough()
  stream.on('data', (line: Buffer) => lines.push(line.toString()))
  return createLog('info', stream)
}

test('what was opened last closes first, one after the other', async () => {
  const closed: string[] = []
  const part = (name: string) => ({
    close: async () => {
      closed.push(`${name} begins`)
      await new Promise(setImmediate)
      closed.push(`${name} ends`)
    },
  })

  await closeAll([part('store'), part('door')], logInto([]))

  expect(closed).toEqual(['door begins', 'door ends', 'store begins', 'store ends'])
})

test('a part that cannot close is told in the log and does not keep the others open', async () => {
  const lines: string[] = []
  let storeClosed = false
  const broken = [
    { close: () => Promise.reject(new Error('the disk is gone')) },
    {
      close: () => {
        throw new Error('the socket is gone')
      },
    },
  ]

  await closeAll([{ close: () => void (storeClosed = true) }, ...broken], logInto(lines))

  expect(storeClosed).toBe(true)
  expect(lines.join('')).toContain('the disk is gone')
  expect(lines.join('')).toContain('the socket is gone')
})
