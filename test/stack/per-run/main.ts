/**
 * Starts each stack that test files share when the first of them needs it, and ends all when Jest
 * does. A program of its own: it can wait for the ends, however Jest itself ends.
 */

import { createServer } from 'node:http'
import { startServices } from '../services'
import type { Stack } from '../stack'
import { startStandalone } from '../standalone'
import type { SharedStack } from './shared-stack'

const starters: Record<SharedStack, () => Promise<Stack>> = {
  standalone: () => startStandalone(),
  services: () => startServices(),
}
const started = new Map<string, Promise<Stack>>()

function isShared(name: string): name is SharedStack {
  return name in starters
}

function open(name: SharedStack): Promise<Stack> {
  const running = started.get(name) ?? starters[name]()
  started.set(name, running)
  return running
}

const server = createServer(({ url = '' }, response) => {
  const name = url.slice(1)
  if (!isShared(name)) {
    response.writeHead(404).end()
    return
  }
  open(name).then(
    ({ baseUrl, simulatorUrl }) => response.end(JSON.stringify({ baseUrl, simulatorUrl })),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})

async function end(): Promise<void> {
  const ends = [...started.values()].map((stack) =>
    stack.then(
      (running) => running.dispose(),
      () => undefined,
    ),
  )
  await Promise.all(ends)
  process.exit()
}

// Jest ends however it ends: its channel closes.
process.once('disconnect', () => void end())
process.on('SIGINT', () => undefined)
server.listen(process.argv[2], () => process.send?.('listening'))
