/**
 * The operator's commands on the token that the settings name: make the key, request its
 * certificate, install it, show what is there.
 */

import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock as now } from '@einvoicing/runtime/clock'
import { writeDurably } from '@einvoicing/runtime/durable-file'
import { EnvReader, SettingsError } from '@einvoicing/runtime/env'
import { createLog } from '@einvoicing/runtime/log'
import { readKeyCommandConfig, type KeyCommandConfig } from '../config'
import { nameOf } from '../token/certificate-chain'
import { loadCryptoki } from '../token/cryptoki'
import { findSigningKey } from '../token/key-in-token'
import { readPin } from '../token/pin-file'
import { openToken, type Token } from '../token/token'
import { returnValueOf, toTokenFault } from '../token/token-error'
import { installCertificate } from './install-certificate'
import { makeKey } from './make-key'
import { requestCertificate } from './request-certificate'
import { selfCertify } from './self-certify'
import { showToken } from './show-token'

const usage = [
  'npm run key -- COMMAND, on the token that PKCS11_MODULE and PKCS11_TOKEN_LABEL name:',
  '  make                           make a key pair named PKCS11_KEY_LABEL, PKCS11_KEY_ID; SIGNER_KEY_ALGORITHM is its kind',
  '  request FILE --subject NAME    write the certificate request into FILE; NAME as in "C=MA, O=Company, CN=Invoices"',
  '  install FILE                   put the certificate and its intermediates, PEM in FILE, into the token',
  '  show                           tell the keys and certificates in the token',
  '  self-certify                   for trials: key and certificate at once, by an authority of our own in DATA_DIR/signer',
].join('\n')

interface Asked {
  token: Token
  config: KeyCommandConfig
  file: string
  subject: string
}

const commands: Record<string, (asked: Asked) => Promise<string>> = {
  async make({ token, config }) {
    const key = await makeKey(token, config.key.token.key, config.algorithm)
    return `made the ${config.algorithm} key "${key.label}" with CKA_ID ${key.id.toString('hex')}; next: npm run key -- request FILE --subject NAME`
  },
  async request({ token, config, file, subject }) {
    if (file === '' || subject === '') throw new SettingsError([usage])
    const key = findSigningKey(token, config.key.token.key)
    await writeDurably(file, await requestCertificate(token, key, subject), 0o644)
    return `wrote the request to ${file}; when the authority has answered: npm run key -- install FILE`
  },
  async install({ token, config, file }) {
    if (file === '') throw new SettingsError([usage])
    const key = findSigningKey(token, config.key.token.key)
    const pem = await readFile(file, 'utf8')
    const installed = await installCertificate(token, key, { pem, from: file, now: now() })
    return [
      'installed',
      ...installed.map((each) => `  ${nameOf(each)} until ${each.validTo}`),
    ].join('\n')
  },
  async show({ token, config }) {
    return showToken(token, config.key.token.key, now()).join('\n')
  },
  async 'self-certify'({ token, config }) {
    const { algorithm, authorityDirectory: directory } = config
    const options = { name: config.key.token.key, algorithm, directory }
    const did = await selfCertify(token, options, { now, log: createLog('silent') })
    return did
      ? `key and certificate are in the token; verifiers trust ${path.join(directory, 'trusted-certificate.pem')}`
      : 'key and certificate were there already'
  },
}

async function main(): Promise<string> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { subject: { type: 'string', default: '' } },
  })
  const [name = '', file = ''] = positionals
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command || positionals.length > 2) throw new SettingsError([usage])
  const config = readKeyCommandConfig(new EnvReader(process.env))
  const { tokenLabel } = config.key.token
  try {
    const pin = await readPin(config.key.pinFile)
    const cryptoki = await loadCryptoki(config.key.module)
    const token = openToken(cryptoki, { tokenLabel, pin }, true)
    const told = await command({ token, config, file, subject: values.subject })
    cryptoki.C_Finalize()
    return told
  } catch (error) {
    throw returnValueOf(error) === undefined ? error : toTokenFault(error, tokenLabel)
  }
}

main().then(
  (told) => process.stdout.write(`${told}\n`),
  (error: unknown) => {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exit(1)
  },
)
