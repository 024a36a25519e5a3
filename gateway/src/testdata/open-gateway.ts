/**
 * A gateway on a free loopback port, and the two ways tests speak to it: as a client would, and
 * byte by byte.
 */

import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { EnvReader } from '@einvoicing/runtime/env'
import { createLog } from '@einvoicing/runtime/log'
import { readGatewayConfig } from '../config'
import type { Envelope } from '../http/envelope'
import { openGateway, type Gateway, type GatewayDeps } from '../service'
import { apiKey, smallArtefacts, smallInvoices, smallOrganizations } from './small-services'

export async function openForTest(
  env: NodeJS.ProcessEnv = {},
  overrides: Partial<GatewayDeps> = {},
): Promise<Gateway> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'gateway-'))
  return openGateway(readGatewayConfig(new EnvReader({ PORT: '0', ...env }), dataDir), {
    organizations: smallOrganizations(),
    invoices: smallInvoices(),
    artefacts: smallArtefacts(),
    now: () => new Date(),
    log: createLog('silent'),
    ...overrides,
  })
}

export interface Answer {
  status: number
  headers: Headers
  body: Envelope
}

export type RequestOptions = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> }

/** With the API key unless `headers` say otherwise. */
export async function fetchFrom(
  gateway: Gateway,
  path: string,
  options: RequestOptions = {},
): Promise<Answer> {
  const response = await fetch(`${gateway.url}${path}`, {
    ...options,
    headers: { Authorization: `Bearer ${apiKey}`, ...options.headers },
  })
  const body = (await response.json()) as Envelope
  return { status: response.status, headers: response.headers, body }
}

export function postInvoice(gateway: Gateway, body: unknown, headers = {}): Promise<Answer> {
  return fetchFrom(gateway, '/v1/invoices', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

/** Writes bytes as they are and reads until the server ends the connection. */
export async function speak(gateway: Gateway, ...parts: (string | Buffer)[]): Promise<string> {
  const socket = net.connect(gateway.port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(socket, 'connect')
  for (const part of parts) socket.write(part)
  await once(socket, 'close')
  return Buffer.concat(chunks).toString('latin1')
}

/** The envelope of a raw answer. */
export function envelopeIn(raw: string): Envelope {
  return JSON.parse(raw.slice(raw.indexOf('\r\n\r\n') + 4)) as Envelope
}

export const simpleInvoice = {
  invoiceNumber: 'F-1',
  invoiceDate: '2026-01-31',
  currency: 'MAD',
  paymentMethod: 'CASH',
  lines: [{ lineNumber: 1, description: 'Conseil', quantity: 1, unitPrice: 100, vatRate: 20 }],
}
