import * as grpc from '@grpc/grpc-js'
import { Histogram } from 'prom-client'
import { batchesMethods } from './batches/methods'
import { batchCalls, type SendCall, type Sender, type SentCall } from './batches/send'
import { signCallerTokens, type Called } from './caller'
import type { ServiceName } from './service-name'
import { callerKeys, type CallerKeys, type CallerSecrets } from './caller-secrets'
import { metrics } from '@einvoicing/runtime/metrics'
import { rpcMessageBytes } from './message-size'
import { peerScheme } from '@einvoicing/runtime/address'
import { PeerResolver } from './peer-resolver'
import { idempotentMethods } from './idempotent-methods'
import type { Call, Contract, Service } from './call'
import { rpcBuckets, rpcLabels, toRpcLabels } from './call-metrics'
import { traceClientCall, type RpcMethod } from './spans'
import { statusName, statusToError, toStatusCode } from './status'
import { toTraceparent } from '@einvoicing/runtime/trace'

// By default gRPC waits two minutes to reconnect, and trusts a dead connection for longer.
const reconnectMs = { initial: 100, max: 2_000 } as const
const keepaliveMs = { every: 20_000, answerWithin: 5_000 } as const

// Beyond HTTP/2's default of 64 KiB, an answer would arrive in pieces.
const flowControlWindowBytes = 8 * 1024 * 1024

// For idempotent methods only: after a broken connection the outcome of any other call is unknown.
const retryPolicy = {
  maxAttempts: 4,
  initialBackoff: '0.05s',
  maxBackoff: '0.5s',
  backoffMultiplier: 3,
  retryableStatusCodes: ['UNAVAILABLE'],
}

const duration = new Histogram({
  name: 'grpc_client_handling_seconds',
  help: 'Calls made, by service, method and gRPC status, including those the server never answered',
  labelNames: rpcLabels,
  buckets: rpcBuckets,
  registers: [metrics],
})

export interface RpcClientOptions {
  address: string
  callerSecrets: CallerSecrets
  credentials?: grpc.ChannelCredentials
}

export interface RpcClient<C extends Contract> {
  service: Service<C>
  close(): void
}

export function connectRpc<C extends Contract>(
  contract: C,
  { address, callerSecrets, credentials }: RpcClientOptions,
): RpcClient<C> {
  grpc.experimental.registerResolver(peerScheme, PeerResolver)
  const channel = new grpc.Client(address, credentials ?? grpc.credentials.createInsecure(), {
    'grpc.max_receive_message_length': rpcMessageBytes,
    'grpc.max_send_message_length': rpcMessageBytes,
    'grpc-node.flow_control_window': flowControlWindowBytes,
    'grpc.initial_reconnect_backoff_ms': reconnectMs.initial,
    'grpc.max_reconnect_backoff_ms': reconnectMs.max,
    'grpc.keepalive_time_ms': keepaliveMs.every,
    'grpc.keepalive_timeout_ms': keepaliveMs.answerWithin,
    'grpc.service_config': JSON.stringify(serviceConfig(contract)),
  })
  const keys = callerKeys(callerSecrets)
  const service = readServiceName(Object.values(contract)[0]?.path ?? '')
  const toMetadata: Sender['toMetadata'] = (path, call) =>
    createMetadata(call, { service, path }, keys)
  const sendAlone: SendCall = ({ path, request, metadata, call: { deadline } }) =>
    new Promise((resolve, reject) => {
      channel.makeUnaryRequest(
        path,
        unchanged,
        unchanged,
        request,
        metadata,
        { deadline },
        (error, answer) => (error ? reject(error) : resolve(answer as Buffer)),
      )
    })
  const sendBytes = batchCalls({ channel, send: sendAlone, toMetadata })
  const methods = Object.entries(contract).map(([name, method]) => {
    const { path } = method
    const labels = toRpcLabels(path)
    const send = async (request: never, call: Call) => {
      const measure = duration.startTimer(labels)
      const measured = (code: grpc.status) => measure({ grpc_code: statusName(code) })
      const metadata = toMetadata(path, call)
      const sent = { path, request: method.requestSerialize(request), metadata, call }
      const answer = await sendBytes(sent).catch((reason: unknown) => {
        const { code, error } = toFailure(reason, sent)
        measured(code)
        throw error
      })
      measured(grpc.status.OK)
      return method.responseDeserialize(answer)
    }
    const called: RpcMethod = { system: 'grpc', name: path.slice(1) }
    const traced = (request: never, call: Call) =>
      traceClientCall(called, call, (tracedCall) => send(request, tracedCall))
    return [name, traced]
  })
  return { service: Object.fromEntries(methods) as Service<C>, close: () => channel.close() }
}

function toFailure(reason: unknown, { path, call }: SentCall): { code: grpc.status; error: Error } {
  if (isServiceError(reason)) return { code: reason.code, error: statusToError(reason, path) }
  // Of a batch: the call was not sent, or has waited too long.
  const isLate = call.deadline <= Date.now()
  const code = isLate ? grpc.status.DEADLINE_EXCEEDED : toStatusCode(reason)
  return { code, error: reason as Error }
}

function isServiceError(reason: unknown): reason is grpc.ServiceError {
  return reason instanceof Error && 'metadata' in reason
}

const unchanged = (bytes: Buffer) => bytes

function readServiceName(path: string): ServiceName {
  return path.slice(path.indexOf('.') + 1, path.lastIndexOf('/')).toLowerCase() as ServiceName
}

function createMetadata(
  { caller, requestId, span }: Call,
  called: Called,
  keys: CallerKeys,
): grpc.Metadata {
  const metadata = new grpc.Metadata()
  for (const [name, token] of Object.entries(signCallerTokens(caller, called, keys))) {
    if (token !== undefined) metadata.set(name, token)
  }
  metadata.set('request-id', requestId)
  const traceparent = toTraceparent(span)
  if (traceparent !== undefined) metadata.set('traceparent', traceparent)
  return metadata
}

// grpc/grpc-proto service_config.proto.
function serviceConfig(contract: Contract): object {
  const paths = [...batchesMethods.keys(), ...Object.values(contract).map(({ path }) => path)]
  const retried = paths.filter((path) => idempotentMethods.has(path)).map((path) => path.split('/'))
  return {
    loadBalancingConfig: [{ round_robin: {} }],
    methodConfig: [
      { name: retried.map(([, service, method]) => ({ service, method })), retryPolicy },
    ],
  }
}
