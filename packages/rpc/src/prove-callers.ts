/** Before a message is read: what a stranger sends is not held in memory. */

import * as grpc from '@grpc/grpc-js'
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
  /** By the metadata of a call that the interceptor let pass. */
  find(metadata: grpc.Metadata): Caller
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

  const prove = ({ method, path, metadata }: CalledMethod, wire: Wire): Caller => {
    const token = (header: string) => metadata.get(header)[0]?.toString()
    const tokens = { caller: token('caller'), 'caller-pair': token('caller-pair') }
    const caller = readCallerToken(tokens, { service: name, path }, { keys, admitted })
    if (peerNames !== 'any') checkPeerName(wire, caller.service)
    checkMayCall(caller, name, method)
    return caller
  }
  const interceptor: grpc.ServerInterceptor = ({ path }, wire) => {
    const method = methods.get(path)
    if (method === undefined) {
      limitOpenRequest(wire)
      return new grpc.ServerInterceptingCall(wire)
    }
    const onReceiveMetadata: grpc.FullServerListener['onReceiveMetadata'] = (metadata, read) => {
      const called = { method, path, metadata }
      try {
        callers.set(metadata, prove(called, wire))
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
