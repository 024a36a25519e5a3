import http from 'node:http'
import { text } from 'node:stream/consumers'
import type { Stack } from '../stack'

export type SharedStack = 'standalone' | 'services'

/** The stack of this Jest run that test files share. Each makes organizations of its own there. */
export async function openSharedStack(name: SharedStack): Promise<Stack> {
  const socketPath = process.env['SHARED_STACKS']
  if (socketPath === undefined)
    throw new Error('no globalSetup: test/stack/per-run/stacks-process.js')
  const [status, body] = await new Promise<[number, string]>((resolve, reject) => {
    const request = http.get({ socketPath, path: `/${name}` }, (answer) => {
      text(answer).then((body) => resolve([answer.statusCode ?? 0, body]), reject)
    })
    request.once('error', reject)
  })
  if (status !== 200) throw new Error(body)
  const { baseUrl, simulatorUrl } = JSON.parse(body) as Stack
  return { baseUrl, simulatorUrl, dispose: async () => undefined }
}
