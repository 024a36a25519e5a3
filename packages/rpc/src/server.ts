import * as grpc from '@grpc/grpc-js'
import { HealthImplementation } from 'grpc-health-check'
import { Histogram } from 'prom-client'
import { requestBytes, rpcMessageBytes } from './message-size'
import type { ServiceName } from './service-name'
import type { CallerSecrets } from './caller-secrets'
import { deadlinesMs } from '@einvoicing/domain/limits'
import type { Log } from '@einvoicing/runtime/log'
import { metrics } from '@einvoicing/runtime/metrics'
import type { Call, Contract, Service, UntypedHandler } from './call'
import { BatchesService } from '@einvoicing/proto/batches'
import { batchesHandlers, type AnswerCall } from './batches/answer'
import { rpcBuckets, rpcLabels, toRpcLabels } from './call-metrics'
import {
  proveCallers,
  type PeerNames,
  type ProofOptions,
  type ProvenCallers,
} from './prove-callers'
import { traceServerCall, type RpcMethod } from './spans'
import { apiErrorToStatus, statusName } from './status'
import { toLogIds, readTraceparent } from '@einvoicing/runtime/trace'

// It would write to standard error what we log.
grpc.setLogVerbosity(grpc.logVerbosity.NONE)

const duration = new Histogram({
  name: 'grpc_server_handling_seconds',
  help: 'Calls answered, by service, method and gRPC status; its count is the rate',
  labelNames: rpcLabels,
  buckets: rpcBuckets,
  registers: [metrics],
})

/** On one connection; a gateway works on 1,024 requests, each with a few calls at once. */
const streamsMax = 4_096

export interface RpcServerOptions {
  name: ServiceName
  /** `host:port`; port 0: any free one. */
  address: string
  callerSecrets: CallerSecrets
  peerNames?: PeerNames | undefined
  credentials?: grpc.ServerCredentials
  log: Log
}

export interface RpcServer {
  port: number
  /** Waits for calls in flight, and cuts the rest after `deadlinesMs.drain`. */
  close(): Promise<void>
}

export async function serveRpc<C extends Contract>(
  contract: C,
  handlers: Service<C>,
  options: RpcServerOptions,
): Promise<RpcServer> {
  const { name } = options
  const callers = proveCallers(contract, { ...options, reject: rejectWith(options) })
  const limits: Partial<Record<ServiceName, number>> = requestBytes
  const server = new grpc.Server({
    'grpc.max_receive_message_length': limits[name] ?? rpcMessageBytes,
    'grpc.max_send_message_length': rpcMessageBytes,
    'grpc.max_concurrent_streams': streamsMax,
    interceptors: [callers.interceptor],
  })
  const untyped = handlers as unknown as Record<string, UntypedHandler>
  const methods = Object.fromEntries(
    Object.entries(untyped).map(([method, handle]) => [
      method,
      measured(
        answerWith(handle, method, { ...options, callers, path: contract[method]?.path ?? '' }),
      ),
    ]),
  )
  server.addService(contract as unknown as grpc.ServiceDefinition, methods)
  const batches = { contract, methods, callers, reject: rejectWith(options) }
  server.addService(BatchesService, batchesHandlers(batches))
  const health = new HealthImplementation({ '': 'SERVING' })
  health.addToServer(server)

  const port = await new Promise<number>((resolve, reject) => {
    const credentials = options.credentials ?? grpc.ServerCredentials.createInsecure()
    server.bindAsync(options.address, credentials, (error, bound) =>
      error ? reject(error) : resolve(bound),
    )
  })
  return {
    port,
    close: () => {
      health.setStatus('', 'NOT_SERVING')
      return drain(server)
    },
  }
}

function answerWith(
  handle: UntypedHandler,
  method: string,
  { name, callers, log, path }: RpcServerOptions & { callers: ProvenCallers; path: string },
): AnswerCall {
  const called: RpcMethod = { system: 'grpc', name: path.slice(1) }
  return (wire, callback) => {
    const followed = readFollowed(wire.metadata)
    const answer = async (): Promise<unknown> => {
      const deadline = wire.getDeadline()
      const call: Call = {
        caller: callers.find(wire.metadata),
        ...followed,
        deadline: Math.min(Number(deadline), Date.now() + deadlinesMs.rpcInBackground),
      }
      return traceServerCall(called, call, (traced) => handle(wire.request, traced))
    }
    answer().then(
      (value) => callback(null, value),
      (error: unknown) => {
        const logFields = { method: `${name}.${method}`, ...toLogIds(followed) }
        callback(apiErrorToStatus(error, logFields, log))
      },
    )
  }
}

function rejectWith({ name, log }: RpcServerOptions): ProofOptions['reject'] {
  return (error, { method, path, metadata }) => {
    const logFields = { method: `${name}.${method}`, ...toLogIds(readFollowed(metadata)) }
    const status = apiErrorToStatus(error, logFields, log)
    duration.observe({ ...toRpcLabels(path), grpc_code: statusName(status.code) }, 0)
    return status
  }
}

function readFollowed(metadata: grpc.Metadata) {
  const header = (name: string) => metadata.get(name)[0]?.toString()
  return {
    requestId: header('request-id') ?? '-',
    span: readTraceparent(header('traceparent')),
  }
}

function measured(handle: AnswerCall): AnswerCall {
  return (wire, callback) => {
    const measure = duration.startTimer(toRpcLabels(wire.getPath()))
    handle(wire, (error, answer) => {
      measure({ grpc_code: statusName(error?.code ?? grpc.status.OK) })
      callback(error, answer)
    })
  }
}

function drain(server: grpc.Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.forceShutdown(), deadlinesMs.drain)
    server.tryShutdown(() => {
      clearTimeout(cut)
      resolve()
    })
  })
}
