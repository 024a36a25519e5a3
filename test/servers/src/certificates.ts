/** Certificates for tests of TLS, made by openssl: an authority, and what it issues. */

import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

/** The certificate of an operator who has one for all. */
export const everyService = [
  'gateway',
  'organizations',
  'invoices',
  'signer',
  'artefacts',
  'clearance',
] as const

export interface Authority {
  /**
   * A certificate for 127.0.0.1, localhost and `names` (by default its own), good for both ends of a
   * call.
   */
  issue(name: string, options?: { days?: number; names?: readonly string[] }): Promise<Issued>
}

/** Names of PEM files. */
export interface Issued {
  certificateFile: string
  keyFile: string
  authorityFile: string
}

export async function makeAuthority(name: string): Promise<Authority> {
  const folder = await mkdtemp(path.join(tmpdir(), 'einvoicing-tls-'))
  const file = (end: string) => path.join(folder, end)
  const [authorityFile, authorityKey] = [file('authority.pem'), file('authority.key')]
  const subject = ['-subj', `/CN=${name}`]
  const to = ['-keyout', authorityKey, '-out', authorityFile]
  await run('openssl', ['req', '-x509', '-days', '365', ...key, ...subject, ...to])
  return {
    async issue(service, { days = 365, names = [service] } = {}) {
      const [keyFile, request] = [file(`${service}.key`), file(`${service}.csr`)]
      const certificateFile = file(`${service}.pem`)
      const extensions = file(`${service}.extensions`)
      const alternatives = ['IP:127.0.0.1', ...['localhost', ...names].map((name) => `DNS:${name}`)]
      await writeFile(extensions, `subjectAltName=${alternatives.join(',')}\n`)
      const requestArgs = ['-subj', `/CN=${service}`, '-keyout', keyFile, '-out', request]
      await run('openssl', ['req', '-new', ...key, ...requestArgs])
      const by = ['-CA', authorityFile, '-CAkey', authorityKey, '-CAcreateserial']
      const how = [
        '-extfile',
        extensions,
        '-days',
        `${days}`,
        '-in',
        request,
        '-out',
        certificateFile,
      ]
      await run('openssl', ['x509', '-req', ...by, ...how])
      return { certificateFile, keyFile, authorityFile }
    },
  }
}
