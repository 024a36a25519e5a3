import * as grpc from '@grpc/grpc-js'
import { Histogram } from 'prom-client'
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
import { statusName, statusToError } from './status'
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
  const methods = Object.entries(contract).map(([name, method]) => {
    const labels = toRpcLabels(method.path)
    const send = (request: never, call: Call) =>
      new Promise((resolve, reject) => {
        const measure = duration.startTimer(labels)
        channel.makeUnaryRequest(
          method.path,
          method.requestSerialize,
          method.responseDeserialize,
          request,
          toMetadata(call, { service: readServiceName(method.path), path: method.path }, keys),
          { deadline: call.deadline },
          (error, answer) => {
            measure({ grpc_code: statusName(error?.code ?? grpc.status.OK) })
            if (error) reject(statusToError(error, method.path))
            else resolve(answer)
          },
        )
      })
    const called: RpcMethod = { system: 'grpc', name: method.path.slice(1) }
    const traced = (request: never, call: Call) =>
      traceClientCall(called, call, (tracedCall) => send(request, tracedCall))
    return [name, traced]
  })
  return { service: Object.fromEntries(methods) as Service<C>, close: () => channel.close() }
}

function readServiceName(path: string): ServiceName {
  return path.slice(path.indexOf('.') + 1, path.lastIndexOf('/')).toLowerCase() as ServiceName
}

function toMetadata(
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
  const paths = Object.values(contract).map(({ path }) => path)
  const retried = paths.filter((path) => idempotentMethods.has(path)).map((path) => path.split('/'))
  return {
    loadBalancingConfig: [{ round_robin: {} }],
    methodConfig: [
      { name: retried.map(([, service, method]) => ({ service, method })), retryPolicy },
    ],
  }
}
