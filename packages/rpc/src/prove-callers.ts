/** Before a message is read: what a stranger sends is not held in memory. */

import * as grpc from '@grpc/grpc-js'
import { ApiError } from '@einvoicing/domain/api-error'
import { batchesMethods } from './batches/methods'
import type { Contract } from './call'
import { readCallerToken, type Caller } from './caller'
import { callerKeys, type CallerSecrets } from './caller-secrets'
import { checkPeerName } from './peer-name'
import type { ServiceName } from './service-name'
import { checkMayCall, listCallers } from './who-may-call'

export type PeerNames = 'service' | 'any'

export interface CalledMethod {
  method: string
  /** `/einvoicing.Artefacts/ReadPdf`. */
  path: string
  metadata: grpc.Metadata
}

export interface ProofOptions {
  name: ServiceName
  callerSecrets: CallerSecrets
  peerNames?: PeerNames | undefined
  /** Answers a call whose caller is not proven. */
  reject: (error: unknown, called: CalledMethod) => Omit<grpc.StatusObject, 'metadata'>
}

export interface ProvenCallers {
  interceptor: grpc.ServerInterceptor
  /** By the metadata of a call that was proven. */
  find(metadata: grpc.Metadata): Caller
  /** For a call of a batch that `sender` sent. */
  proveBatched(called: CalledMethod, sender: Caller): void
}

type Wire = Parameters<grpc.ServerInterceptor>[1]

/** Of the health service, which needs no token. */
const openRequestBytes = 4 * 1024

export function proveCallers(
  contract: Contract,
  { name, callerSecrets, peerNames, reject }: ProofOptions,
): ProvenCallers {
  const keys = callerKeys(callerSecrets)
  const admitted = listCallers(name)
  const methods = new Map(Object.entries(contract).map(([method, { path }]) => [path, method]))
  const callers = new WeakMap<grpc.Metadata, Caller>()

  const prove = ({ path, metadata }: Pick<CalledMethod, 'path' | 'metadata'>): Caller => {
    const token = (header: string) => metadata.get(header)[0]?.toString()
    const tokens = { caller: token('caller'), 'caller-pair': token('caller-pair') }
    return readCallerToken(tokens, { service: name, path }, { keys, admitted })
  }
  const interceptor: grpc.ServerInterceptor = ({ path }, wire) => {
    const isBatch = batchesMethods.has(path)
    const method = batchesMethods.get(path) ?? methods.get(path)
    if (method === undefined) {
      limitOpenRequest(wire)
      return new grpc.ServerInterceptingCall(wire)
    }
    const onReceiveMetadata: grpc.FullServerListener['onReceiveMetadata'] = (metadata, read) => {
      const called = { method, path, metadata }
      try {
        const caller = prove(called)
        if (peerNames !== 'any') checkPeerName(wire, caller.service)
        // Each call of a batch is checked for itself.
        if (!isBatch) checkMayCall(caller, name, method)
        callers.set(metadata, caller)
      } catch (error) {
        wire.sendStatus(reject(error, called))
        return
      }
      read(metadata)
    }
    return new grpc.ServerInterceptingCall(wire, { start: (next) => next({ onReceiveMetadata }) })
  }
  return {
    interceptor,
    proveBatched(called, sender) {
      const caller = prove(called)
      if (caller.service !== sender.service) {
        const cause = new Error(`it came in a batch of ${sender.service}`)
        throw new ApiError('CALLER_REFUSED', 'The caller token was rejected.', { cause })
      }
      checkMayCall(caller, name, called.method)
      callers.set(called.metadata, caller)
    },
    find(metadata) {
      const caller = callers.get(metadata)
      if (!caller) throw new Error('a call was read before its caller was proven')
      return caller
    },
  }
}

/** The library has one limit for all methods of a server; its decoder, one for each call. */
function limitOpenRequest(wire: Wire): void {
  const { decoder } = wire as { decoder?: { maxReadMessageLength: number } }
  if (decoder) decoder.maxReadMessageLength = openRequestBytes
}
