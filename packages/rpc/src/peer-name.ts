// The first label of a DNS name in the certificate: `gateway.einvoicing.svc`.

import type { ServerUnaryCall } from '@grpc/grpc-js'
import { ApiError } from '@einvoicing/domain/api-error'
import type { ServiceName } from './service-name'

export function checkPeerName(
  wire: Pick<ServerUnaryCall<unknown, unknown>, 'getAuthContext'>,
  service: ServiceName,
): void {
  const { transportSecurityType, sslPeerCertificate } = wire.getAuthContext()
  if (transportSecurityType !== 'ssl') return
  const names = dnsNames(sslPeerCertificate?.subjectaltname)
  if (names.some((name) => name.split('.')[0] === service)) return
  const cause = new Error(
    `the certificate is for ${names.join(', ') || 'no DNS name'}, but the token is from ${service}: give each service a certificate with its name, or set TLS_PEER_NAMES=any`,
  )
  throw new ApiError('CALLER_REFUSED', 'The caller token was rejected.', { cause })
}

/** As Node.js prints them: `DNS:gateway, IP Address:127.0.0.1`; a quoted name may hold a comma. */
function dnsNames(subjectAlternativeName = ''): string[] {
  if (subjectAlternativeName.includes('"')) return []
  return subjectAlternativeName
    .split(', ')
    .flatMap((entry) => (entry.startsWith('DNS:') ? [entry.slice('DNS:'.length)] : []))
}
