import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { isLoopback } from '@einvoicing/runtime/address'
import { makeFolderDurably, writeDurably } from '@einvoicing/runtime/durable-file'
import type { Log } from '@einvoicing/runtime/log'
import { readSecretFile } from '@einvoicing/runtime/secret-file'
import { createTransport } from 'nodemailer'
import type { MailText } from './compose-mail'
import type { MailConfig, MailTransportConfig } from './mail-config'

export interface Message extends MailText {
  id: string
  to: string
}

/** As nodemailer reports it. */
interface SmtpFailure {
  responseCode?: number
  command?: string
  response?: string
}

/** Throws `MailRejected` where sending again cannot help; any other error is retried. */
export type SendMail = (message: Message) => Promise<void>

export class MailRejected extends Error {
  override readonly name = 'MailRejected'
  readonly responseCode: number

  constructor(responseCode: number, cause: unknown) {
    super(`the mail server answered ${responseCode}`, { cause })
    this.responseCode = responseCode
  }
}

// A message has some kilobytes; some servers delay their greeting on purpose.
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 15_000, socketTimeout: 20_000 }
const unsafe = { disableFileAccess: true, disableUrlAccess: true }
const filesMax = 100
const aboutMessage = new Set<string | undefined>(['RCPT TO', 'DATA'])
/** Enhanced codes (RFC 3463) of a session or sender that the server rejects at the recipient. */
const aboutSession = /^5\d\d[ -]5\.(7\.\d+|1\.[78])\b/

export function createMailTransport(
  { from }: MailConfig,
  transport: MailTransportConfig,
  log: Log,
): SendMail {
  return transport.kind === 'smtp' ? overSmtp(transport, from) : intoFolder(transport, from, log)
}

function overSmtp(
  { url, passwordFile }: Extract<MailTransportConfig, { kind: 'smtp' }>,
  from: string,
): SendMail {
  const secure = url.protocol === 'smtps:'
  return async (message) => {
    // Read for each message, so that it can be renewed without a restart.
    const pass = passwordFile && (await readSecretFile('SMTP_PASSWORD_FILE', passwordFile))
    const transporter = createTransport({
      host: url.hostname,
      port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
      secure,
      requireTLS: !secure && !isLoopback({ host: url.hostname, port: 0 }),
      ...(url.username !== '' && { auth: { user: decodeURIComponent(url.username), pass } }),
      ...timeouts,
      ...unsafe,
    })
    try {
      await transporter.sendMail(toEnvelope(message, from))
    } catch (error) {
      const { responseCode, command, response = '' } = error as SmtpFailure
      // RFC 5321, section 4.2.1: 5yz is permanent; before the recipient it is about the session.
      const isPermanent = responseCode !== undefined && responseCode >= 500
      const isDelayed = command === 'RCPT TO' && aboutSession.test(response)
      if (!isPermanent || isDelayed || !aboutMessage.has(command)) throw error
      throw new MailRejected(responseCode, error)
    } finally {
      transporter.close()
    }
  }
}

function intoFolder(
  { folder }: Extract<MailTransportConfig, { kind: 'folder' }>,
  from: string,
  log: Log,
): SendMail {
  const transporter = createTransport({
    streamTransport: true,
    buffer: true,
    ...unsafe,
  })
  return async (message) => {
    const { message: content } = await transporter.sendMail(toEnvelope(message, from))
    await makeFolderDurably(folder, 0o700)
    const file = path.join(folder, `${message.id}.eml`)
    await writeDurably(file, (content as Buffer).toString(), 0o600)
    log.info({ mailId: message.id, file }, 'mail written to a file, because SMTP_URL is not set')
    const files = (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort()
    for (const old of files.slice(0, -filesMax)) await rm(path.join(folder, old), { force: true })
  }
}

function toEnvelope({ id, to, subject, text, html }: Message, from: string) {
  const domain = from.replace(/^.*@/, '').replace(/[^\w.-].*$/, '')
  return {
    from,
    // As an object it is not parsed: one address cannot become two.
    to: { name: '', address: to },
    subject,
    text,
    html,
    messageId: `<${id}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}
