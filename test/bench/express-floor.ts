import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

export interface ExpressFloor {
  url: string
  close(): void
}

export async function startExpressFloor(answer: string): Promise<ExpressFloor> {
  const child = fork(path.join(__dirname, 'express-process.js'))
  child.send(answer)
  const [port] = (await once(child, 'message')) as [number]
  return { url: `http://127.0.0.1:${port}/v1/invoices`, close: () => child.kill() }
}
