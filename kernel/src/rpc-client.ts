/** A service on the other side of a wire, with the same shape as its handlers. */

import * as grpc from '@grpc/grpc-js'
import { signCallerToken } from './caller'
import { limits } from './limits'
import type { Call, Contract, Service } from './rpc'
import { statusToError } from './rpc-status'

export interface RpcClientOptions {
  address: string
  callerSecret: string
  credentials?: grpc.ChannelCredentials
}

export interface RpcClient<C extends Contract> {
  service: Service<C>
  close(): void
}

export function connectRpc<C extends Contract>(
  contract: C,
  { address, callerSecret, credentials }: RpcClientOptions,
): RpcClient<C> {
  const channel = new grpc.Client(address, credentials ?? grpc.credentials.createInsecure(), {
    'grpc.max_receive_message_length': limits.rpcMessageBytes,
    'grpc.max_send_message_length': limits.rpcMessageBytes,
  })
  const methods = Object.entries(contract).map(([name, method]) => [
    name,
    (request: never, call: Call) =>
      new Promise((resolve, reject) => {
        const metadata = new grpc.Metadata()
        metadata.set('caller', signCallerToken(call.caller, callerSecret))
        metadata.set('request-id', call.requestId)
        channel.makeUnaryRequest(
          method.path,
          method.requestSerialize,
          method.responseDeserialize,
          request,
          metadata,
          { deadline: call.deadline },
          (error, answer) => (error ? reject(statusToError(error, method.path)) : resolve(answer)),
        )
      }),
  ])
  return { service: Object.fromEntries(methods) as Service<C>, close: () => channel.close() }
}
