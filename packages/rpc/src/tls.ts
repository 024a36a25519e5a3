// All three files or none: a part of them is an error, never plain text.

import * as grpc from '@grpc/grpc-js'
import type { EnvReader } from '@einvoicing/runtime/env'
import type { Log } from '@einvoicing/runtime/log'
import type { Closable } from '@einvoicing/runtime/serve'
import { TlsFiles, type TlsConfig } from './tls-files'

const all = 'TLS_CERTIFICATE_FILE, TLS_KEY_FILE and TLS_CA_FILE'

export function readTlsConfig(env: EnvReader): TlsConfig | undefined {
  const certificateFile = env.optionalText('TLS_CERTIFICATE_FILE')
  const keyFile = env.secretFile('TLS_KEY_FILE')
  const authorityFile = env.optionalText('TLS_CA_FILE')
  if (certificateFile && keyFile && authorityFile) {
    return { certificateFile, keyFile, authorityFile }
  }
  if (certificateFile ?? keyFile ?? authorityFile) {
    env.addError(`mutual TLS between services wants all of ${all}, or none`, undefined)
  }
  return undefined
}

export interface RpcCredentials extends Closable {
  server: grpc.ServerCredentials
  channel: grpc.ChannelCredentials
}

export function openCredentials(tls: TlsConfig | undefined, log: Log): RpcCredentials {
  if (!tls) {
    return {
      server: grpc.ServerCredentials.createInsecure(),
      channel: grpc.credentials.createInsecure(),
      close: () => undefined,
    }
  }
  const files = new TlsFiles(tls, log)
  const { experimental } = grpc
  return {
    server: experimental.createCertificateProviderServerCredentials(files, files, true),
    channel: experimental.createCertificateProviderChannelCredentials(files, files),
    close: () => files.close(),
  }
}
