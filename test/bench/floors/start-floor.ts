import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { Role } from './process'

export interface Floor {
  url: string
  pids: number[]
  close(): Promise<void>
}

type FloorRole = Omit<Role, 'next' | 'mongodbUrl'> & { stores?: boolean }

export const floors = {
  'Express POST': [{ role: 'post' }],
  'Express + UBL + XAdES by hand': [{ role: 'document' }],
  'Express + 1 bare hop, default window': [{ role: 'hop' }, { role: 'gateway' }],
  'Express + 1 bare hop, 8 MiB window': [{ role: 'hop' }, { role: 'gateway', wide: true }],
  'Express + 2 bare hops, default window': [{ role: 'hop' }, { role: 'hop' }, { role: 'gateway' }],
  'Express + 2 bare hops, 8 MiB window': [
    { role: 'hop' },
    { role: 'hop', wide: true },
    { role: 'gateway', wide: true },
  ],
  'Express + 2 hops with UBL, XAdES and a MongoDB insert': [
    { role: 'hop', signs: true },
    { role: 'hop', stores: true },
    { role: 'gateway' },
  ],
} as const satisfies Record<string, readonly FloorRole[]>

export type FloorName = keyof typeof floors

/** The last of its processes first: each names the one behind it. */
export async function startFloor(name: FloorName, mongodbUrl?: string): Promise<Floor> {
  const children: ChildProcess[] = []
  const roles: readonly FloorRole[] = floors[name]
  let port: number | undefined
  for (const { stores, ...role } of roles) {
    const child = fork(path.join(__dirname, 'process.js'))
    children.push(child)
    child.send({
      ...role,
      ...(port !== undefined && { next: port }),
      ...(stores && { mongodbUrl }),
    } satisfies Role)
    ;[port] = (await once(child, 'message')) as [number]
  }
  return {
    url: `http://127.0.0.1:${port}`,
    pids: children.map(({ pid }) => pid!),
    async close() {
      const ended = children.map((child) => once(child, 'exit'))
      for (const child of children) child.disconnect()
      await Promise.all(ended)
    },
  }
}
