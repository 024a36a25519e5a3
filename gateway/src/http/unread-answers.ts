// Answers that the kernel has not taken, because their clients do not read (decision 0147).

import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { metrics } from '@einvoicing/runtime/metrics'
import type { Request } from 'express'
import { Counter, Gauge } from 'prom-client'
import { ClientMemory, type HeldMemory } from './client-memory'
import { readClientName } from './exchange'

/** Half of it, one client's, is several of the largest answers. */
const maxBytes = 128 * 1024 * 1024
/** Of a request's objects: many small answers may wait behind a large one. */
const objectBytes = 16 * 1024

const memory = new ClientMemory(maxBytes, {
  bytes: new Gauge({
    name: 'einvoicing_unread_answer_bytes',
    help: 'Bytes of answers held in memory until their clients read them',
    registers: [metrics],
  }),
  evictions: new Counter({
    name: 'einvoicing_unread_answer_connections_closed_total',
    help: 'Connections closed because their clients left too many bytes of answers unread',
    registers: [metrics],
  }),
})

const heldBySocket = new WeakMap<Socket, HeldMemory>()

/** To be called when the answer is written. May close connections. Free if the kernel took it. */
export function holdUntilRead(response: ServerResponse): void {
  if (response.writableLength === 0 || response.destroyed) return
  const hasBody = response.req.method !== 'HEAD'
  // The length that Node reports is in characters.
  const bodyBytes = hasBody ? Number(response.getHeader('content-length') ?? 0) : 0
  response.once('close', hold(response, bodyBytes + objectBytes))
}

/** For an answer whose writing waits until its client reads. May close connections. */
export function holdWhileWaiting<T>(
  response: ServerResponse,
  bytes: number,
  wait: () => Promise<T>,
): Promise<T> {
  const release = hold(response, bytes)
  return wait().finally(release)
}

function hold(response: ServerResponse, bytes: number): () => void {
  const { socket } = response.req
  const held =
    heldBySocket.get(socket) ??
    memory.hold(readClientName(response.req as Request, response), () => socket.destroy())
  heldBySocket.set(socket, held)
  held.add(bytes)
  return () => {
    held.add(-bytes)
    if (held.bytes > 0) return
    held.release()
    heldBySocket.delete(socket)
  }
}
