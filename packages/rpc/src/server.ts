import * as grpc from '@grpc/grpc-js'
import { HealthImplementation } from 'grpc-health-check'
import { Histogram } from 'prom-client'
import { rpcMessageBytes } from './message-size'
import { readCallerToken } from './caller'
import type { ServiceName } from './service-name'
import { callerKeys, type CallerKeys, type CallerSecrets } from './caller-secrets'
import { deadlinesMs } from '@einvoicing/domain/limits'
import type { Log } from '@einvoicing/runtime/log'
import { metrics } from '@einvoicing/runtime/metrics'
import { checkPeerName } from './peer-name'
import type { Call, Contract, Service, UntypedHandler } from './call'
import { rpcBuckets, rpcLabels, toRpcLabels } from './call-metrics'
import { traceServerCall, type RpcMethod } from './spans'
import { apiErrorToStatus, statusName } from './status'
import { toLogIds, readTraceparent } from '@einvoicing/runtime/trace'
import { checkMayCall, listCallers } from './who-may-call'

// It would write to standard error what we log.
grpc.setLogVerbosity(grpc.logVerbosity.NONE)

const duration = new Histogram({
  name: 'grpc_server_handling_seconds',
  help: 'Calls answered, by service, method and gRPC status; its count is the rate',
  labelNames: rpcLabels,
  buckets: rpcBuckets,
  registers: [metrics],
})

export type PeerNames = 'service' | 'any'

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
  const server = new grpc.Server({
    'grpc.max_receive_message_length': rpcMessageBytes,
    'grpc.max_send_message_length': rpcMessageBytes,
  })
  const untyped = handlers as unknown as Record<string, UntypedHandler>
  const keys = callerKeys(options.callerSecrets)
  server.addService(
    contract as unknown as grpc.ServiceDefinition,
    Object.fromEntries(
      Object.entries(untyped).map(([method, handle]) => [
        method,
        measured(
          answerWith(handle, method, { ...options, keys, path: contract[method]?.path ?? '' }),
        ),
      ]),
    ),
  )
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
  { name, keys, peerNames, log, path }: RpcServerOptions & { keys: CallerKeys; path: string },
): grpc.handleUnaryCall<unknown, unknown> {
  const admitted = listCallers(name)
  const called: RpcMethod = { system: 'grpc', name: path.slice(1) }
  return (wire, callback) => {
    const header = (name: string) => wire.metadata.get(name)[0]?.toString()
    const followed = {
      requestId: header('request-id') ?? '-',
      span: readTraceparent(header('traceparent')),
    }
    const answer = async (): Promise<unknown> => {
      const deadline = wire.getDeadline()
      const tokens = { caller: header('caller'), 'caller-pair': header('caller-pair') }
      const caller = readCallerToken(tokens, { service: name, path }, { keys, admitted })
      if (peerNames !== 'any') checkPeerName(wire, caller.service)
      checkMayCall(caller, name, method)
      const call: Call = {
        caller,
        ...followed,
        deadline: Math.min(Number(deadline), Date.now() + deadlinesMs.httpRequest),
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

function measured(
  handle: grpc.handleUnaryCall<unknown, unknown>,
): grpc.handleUnaryCall<unknown, unknown> {
  return (wire, callback) => {
    const measure = duration.startTimer(toRpcLabels(wire.getPath()))
    handle(wire, (error, ...answer) => {
      measure({ grpc_code: statusName(error?.code ?? grpc.status.OK) })
      callback(error, ...answer)
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
