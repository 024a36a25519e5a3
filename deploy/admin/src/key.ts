import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { systemClock as now } from '@einvoicing/runtime/clock'
import { writeDurably } from '@einvoicing/runtime/durable-file'
import { EnvReader } from '@einvoicing/runtime/env'
import { createLog } from '@einvoicing/runtime/log'
import { installCertificate } from '@einvoicing/signer/commands/install-certificate'
import {
  listToken,
  type ListedCertificate,
  type ListedToken,
} from '@einvoicing/signer/commands/list-token'
import { makeKey } from '@einvoicing/signer/commands/make-key'
import { requestCertificate } from '@einvoicing/signer/commands/request-certificate'
import { selfCertify } from '@einvoicing/signer/commands/self-certify'
import { withToken } from '@einvoicing/signer/commands/with-token'
import { readKeyCommandConfig } from '@einvoicing/signer/config'
import { trustedCertificateFileIn } from '@einvoicing/signer/keys/authority'
import { toOneLine } from '@einvoicing/signer/token/certificate-chain'
import { findSigningKey } from '@einvoicing/signer/token/key-in-token'
import type { Shell } from './shell'

const standardStream = '-'

const readConfig = (shell: Shell) => readKeyCommandConfig(new EnvReader(shell.environment))

export async function makeKeyPair(shell: Shell): Promise<void> {
  const config = readConfig(shell)
  const { algorithm } = config
  const key = await withToken(config, (token) => makeKey(token, config.key.token.key, algorithm))
  const [label, id] = [key.label, key.id.toString('hex')]
  shell.print(
    `made the ${algorithm} key "${label}" with CKA_ID ${id}; next: npm run admin -- key request FILE --subject NAME`,
    { label, id, algorithm },
  )
}

export async function writeRequest(shell: Shell, file: string, subject: string): Promise<void> {
  const config = readConfig(shell)
  const pem = await withToken(config, (token) =>
    requestCertificate(token, findSigningKey(token, config.key.token.key), subject),
  )
  const next = 'when the authority has issued the certificate: npm run admin -- key install FILE'
  if (file === standardStream) {
    shell.print(pem.trimEnd(), { request: pem })
    shell.note(next)
    return
  }
  await writeDurably(file, pem, 0o644)
  shell.print(`wrote the request to ${file}; ${next}`, { file })
}

export async function installFile(shell: Shell, file: string): Promise<void> {
  const config = readConfig(shell)
  const isFile = file !== standardStream
  const installed = await withToken(config, async (token) => {
    const key = findSigningKey(token, config.key.token.key)
    const pem = await (isFile ? readFile(file, 'utf8') : text(process.stdin))
    const from = isFile ? file : 'the standard input'
    return installCertificate(token, key, { pem, from, now: now() })
  })
  const certificates = installed.map((each) => ({ name: toOneLine(each), validTo: each.validTo }))
  const lines = certificates.map(({ name, validTo }) => `  ${name} until ${validTo}`)
  shell.print(['installed', ...lines].join('\n'), { certificates })
}

export async function showToken(shell: Shell): Promise<void> {
  const config = readConfig(shell)
  const listed = await withToken(config, async (token) =>
    listToken(token, config.key.token.key, now()),
  )
  shell.print(describeToken(listed), listed)
}

export async function selfCertifyKey(shell: Shell): Promise<void> {
  const config = readConfig(shell)
  const { algorithm, authorityDirectory: directory } = config
  const options = { name: config.key.token.key, algorithm, directory }
  const isMade = await withToken(config, (token) =>
    selfCertify(token, options, { now, log: createLog('silent') }),
  )
  const trustedCertificateFile = trustedCertificateFileIn(directory)
  shell.print(
    isMade
      ? `key and certificate are in the token; verifiers trust ${trustedCertificateFile}`
      : 'key and certificate already exist',
    { isMade, trustedCertificateFile },
  )
}

function describeToken({ label, keys, otherCertificates }: ListedToken): string {
  const listed = [...keys.flatMap(({ certificates }) => certificates), ...otherCertificates]
  return [
    `token "${label}": ${keys.length} keys, ${new Set(listed).size} certificates; * marks the one that the settings select`,
    ...keys.flatMap(({ isSelected, id, algorithm = 'of an unsupported kind', ...key }) => [
      `${isSelected ? '*' : ' '} key "${key.label}"  CKA_ID ${id}  ${algorithm}`,
      ...(key.certificates.length > 0
        ? key.certificates.map(describeCertificate)
        : ['    no certificate']),
    ]),
    ...(otherCertificates.length > 0 ? ['  certificates without a key'] : []),
    ...otherCertificates.map(describeCertificate),
  ].join('\n')
}

function describeCertificate({ name, validTo, daysLeft }: ListedCertificate): string {
  const left = daysLeft < 0 ? 'expired' : `${daysLeft} days left`
  return `    certificate ${name}  until ${validTo}  ${left}`
}
