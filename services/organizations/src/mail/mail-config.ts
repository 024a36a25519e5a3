import path from 'node:path'
import type { EnvReader } from '@einvoicing/runtime/env'

export interface MailConfig {
  transport?: MailTransportConfig | undefined
  from: string
  /** Without a slash at its end. */
  publicUrl: string
}

export type MailTransportConfig =
  | { kind: 'smtp'; url: URL; passwordFile?: string | undefined }
  | { kind: 'folder'; folder: string }

export function readMailConfig(env: EnvReader, dataDir: string | undefined): MailConfig {
  const passwordFile = env.secretFile('SMTP_PASSWORD_FILE')
  const url = readSmtpUrl(env, passwordFile)
  const from = env.optionalText('MAIL_FROM')
  if (url && from === undefined) {
    env.addError(
      'MAIL_FROM is not set: name the sender of mail, such as invoices@example.com',
      undefined,
    )
  }
  const publicUrl = env.optionalUrl('PUBLIC_URL', ['http', 'https'])
  // Without a data folder it is a service: its users are not on this machine.
  if (url && publicUrl === undefined && dataDir === undefined) {
    env.addError(
      'PUBLIC_URL is not set: links in mail begin with it; set it to the public address, as in gateway and artefacts',
      undefined,
    )
  }
  return {
    transport: url ? { kind: 'smtp', url, passwordFile } : toFolder(dataDir),
    from: from ?? 'no-reply@localhost',
    publicUrl: publicUrl ?? `http://127.0.0.1:${env.text('PORT', '8080')}`,
  }
}

function toFolder(dataDir: string | undefined): MailTransportConfig | undefined {
  return dataDir === undefined ? undefined : { kind: 'folder', folder: path.join(dataDir, 'mail') }
}

function readSmtpUrl(env: EnvReader, passwordFile: string | undefined): URL | undefined {
  const text = env.optionalUrl('SMTP_URL', ['smtp', 'smtps'])
  if (text === undefined) {
    if (passwordFile !== undefined && env.optionalText('SMTP_URL') === undefined) {
      const problem = 'SMTP_PASSWORD_FILE is set but SMTP_URL is not: set both or none'
      env.addError(problem, undefined)
    }
    return undefined
  }
  if (!URL.canParse(text)) {
    env.addError('SMTP_URL must be smtp://user@host:port or smtps://user@host:port', undefined)
    return
  }
  const url = new URL(text)
  if (url.password !== '') {
    env.addError(
      'SMTP_URL must not contain a password: write it to a file and set SMTP_PASSWORD_FILE',
      undefined,
    )
    return
  }
  const namesUser = url.username !== ''
  if (namesUser && passwordFile === undefined) {
    env.addError(
      'SMTP_URL names a user but no password: write the password to a file and set SMTP_PASSWORD_FILE',
      undefined,
    )
  }
  if (!namesUser && passwordFile !== undefined) {
    env.addError(
      'SMTP_PASSWORD_FILE is set but SMTP_URL names no user: write smtp://USER@…',
      undefined,
    )
  }
  return url
}
