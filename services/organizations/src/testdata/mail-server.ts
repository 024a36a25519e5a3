import { createServer, type AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface MailServer {
  url: URL
  /** Whole messages, as they came. */
  messages: string[]
  /** SMTP's answer to every recipient from now on; 0: taken. */
  answer(code: number): void
  close(): Promise<void>
}

export async function startMailServer(port = 0): Promise<MailServer> {
  const messages: string[] = []
  let code = 0
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    authOptional: true,
    logger: false,
    onRcptTo(_address, _session, callback) {
      if (code === 0) callback()
      else callback(Object.assign(new Error('not now'), { responseCode: code }))
    },
    onData(stream, _session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        messages.push(Buffer.concat(chunks).toString())
        callback()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: bound } = server.server.address() as AddressInfo
  return {
    url: new URL(`smtp://127.0.0.1:${bound}`),
    messages,
    answer(next) {
      code = next
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** The text part, with quoted-printable undone (RFC 2045, section 6.7). */
export function readText(message: string): string {
  const [, headers = '', body = ''] =
    /Content-Type: text\/plain([\s\S]*?)\r?\n\r?\n([\s\S]*?)\r?\n--/.exec(message) ?? []
  if (/base64/i.test(headers)) return Buffer.from(body, 'base64').toString()
  const bytes = body
    .replace(/=\r?\n/g, '')
    .replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

/** Answers each command as `answers` has it, by its first word; the greeting is `220` there. */
export async function startRefusingServer(
  port: number,
  answers: Readonly<Record<string, string>>,
): Promise<Pick<MailServer, 'url' | 'close'>> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.write(`${answers['220'] ?? '220 ready'}\r\n`)
    socket.on('data', (chunk) => {
      const [word = ''] = chunk.toString().trim().split(/[ :]/)
      socket.write(`${answers[word.toUpperCase()] ?? '250 ok'}\r\n`)
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: bound } = server.address() as AddressInfo
  return {
    url: new URL(`smtp://127.0.0.1:${bound}`),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
