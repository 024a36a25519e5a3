/**
 * One process of a floor, forked with its `Role`; sends its port back.
 *
 * `post`: Express reads a body and answers one of the size of ours. `document`: Express with UBL and
 * XAdES by hand. `gateway`: Express before a gRPC hop. `hop`: a bare gRPC server, before another
 * where `next` names one.
 */

import type { AddressInfo } from 'node:net'
import {
  Client,
  credentials,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  type handleUnaryCall,
} from '@grpc/grpc-js'
import express from 'express'
import { MongoClient } from 'mongodb'
import { writeSignedDocument } from './hand-document'
import { durably } from './raw'

export interface Role {
  role: 'post' | 'document' | 'gateway' | 'hop'
  /** Port of the next hop. */
  next?: number
  /** HTTP/2 windows of 8 MiB instead of grpc-js's default of 64 KiB. */
  wide?: boolean
  /** Of a hop: answers with UBL and XAdES by hand. */
  signs?: boolean
  /** Of a hop: inserts what the next one answers into MongoDB, with majority and journal. */
  mongodbUrl?: string | undefined
}

const answerBytes = 13 * 1024
const method = '/floor.Floor/Create'
const same = (bytes: Buffer) => bytes
const service: ServiceDefinition = {
  create: {
    path: method,
    requestStream: false,
    responseStream: false,
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: same,
    responseDeserialize: same,
  },
}
const answer = Buffer.alloc(answerBytes, 'x')

function startExpress(reply: Reply): void {
  const app = express()
  app.use(express.raw({ type: 'application/json', limit: '2mb' }))
  app.post('/v1/invoices', async (request, response) => {
    response
      .status(201)
      .type('json')
      .send(await reply(request.body as Buffer))
  })
  const server = app.listen(0, '127.0.0.1', () => {
    process.send?.((server.address() as AddressInfo).port)
  })
}

function connect({ next, wide }: Role): (body: Buffer) => Promise<Buffer> {
  const options = wide ? { 'grpc-node.flow_control_window': 8 * 1024 * 1024 } : {}
  const client = new Client(`127.0.0.1:${next}`, credentials.createInsecure(), options)
  return (body) =>
    new Promise((resolve, reject) => {
      client.makeUnaryRequest(method, same, same, body, (error, bytes) =>
        error ? reject(error) : resolve(bytes as Buffer),
      )
    })
}

let removeStored = async (): Promise<unknown> => undefined

type Reply = (body: Buffer) => Promise<Buffer> | Buffer

function chooseReply(role: Role): Reply {
  if (role.next === undefined) return role.signs ? writeDocument : () => answer
  const ask = connect(role)
  return role.mongodbUrl === undefined ? ask : storing(ask, role.mongodbUrl)
}

function storing(ask: Reply, url: string): Reply {
  const client = new MongoClient(url, durably)
  const database = client.db('floor')
  removeStored = () => database.dropDatabase()
  return async (body) => {
    const content = await ask(body)
    await database.collection('document').insertOne({ content })
    return content
  }
}

function startHop(reply: Reply): void {
  const create: handleUnaryCall<Buffer, Buffer> = (call, respond) => {
    void Promise.resolve(reply(call.request)).then((bytes) => respond(null, bytes))
  }
  const server = new Server()
  server.addService(service, { create })
  server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
    if (error) throw error
    process.send?.(port)
  })
}

function writeDocument(body: Buffer): Buffer {
  const invoice = JSON.parse(body.toString()) as Parameters<typeof writeSignedDocument>[0]
  return Buffer.from(JSON.stringify({ code: 'OK', data: { xml: writeSignedDocument(invoice) } }))
}

function answerJson(body: Buffer): Buffer {
  JSON.parse(body.toString())
  return answer
}

process.once('message', (role: Role) => {
  if (role.role === 'post') startExpress(answerJson)
  if (role.role === 'document') startExpress(writeDocument)
  if (role.role === 'gateway') startExpress(connect(role))
  if (role.role === 'hop') startHop(chooseReply(role))
})
process.on('disconnect', () => void removeStored().finally(() => process.exit()))
