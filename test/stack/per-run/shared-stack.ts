import http from 'node:http'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import type { Services } from '../services'
import type { Stack } from '../stack'

export type StackKind = 'standalone' | 'standalone with gRPC' | 'services'

/** The stack of this Jest run that test files share. Each makes organizations of its own there. */
export function openSharedStack(kind: StackKind): Promise<Stack> {
  return ask('shared', kind)
}

/** A stack that no other file uses until it is disposed of; files before have used it. */
export function borrowStack(kind: StackKind): Promise<Stack> {
  return ask('lent', kind)
}

/** With the folder where its ports are. */
export async function borrowServices(): Promise<Stack & Pick<Services, 'dataDir'>> {
  return (await borrowStack('services')) as Stack & Pick<Services, 'dataDir'>
}

async function ask(way: 'shared' | 'lent', kind: StackKind): Promise<Stack> {
  const socketPath = process.env['SHARED_STACKS']
  if (socketPath === undefined)
    throw new Error('no globalSetup: test/stack/per-run/stacks-process.js')
  const path = `/${way}/${encodeURIComponent(kind)}`
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http.get({ socketPath, path, agent: false }, resolve).once('error', reject)
  })
  if (answer.statusCode !== 200) throw new Error(await text(answer))
  const stack = JSON.parse(await firstLine(answer)) as Omit<Stack, 'dispose'>
  return { ...stack, dispose: async () => void answer.destroy() }
}

/** The answer stays open: the stack is used until it ends. */
function firstLine(answer: http.IncomingMessage): Promise<string> {
  return new Promise((resolve) => createInterface(answer).once('line', resolve))
}
