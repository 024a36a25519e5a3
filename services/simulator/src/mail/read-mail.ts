/** The messages of a sandbox without a mail server: files, as RFC 5322 and MIME write them. */

import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

export interface ReadMail {
  /** Name of its file. */
  file: string
  to: string
  subject: string
  date: string
  text: string
}

const shownMax = 20

/** The latest first. */
export async function readLatestMails(folder: string): Promise<ReadMail[]> {
  const names = await readdir(folder).catch(() => [])
  // Their ids grow with time.
  const latest = names.filter((name) => name.endsWith('.eml')).sort()
  const read = latest
    .slice(-shownMax)
    .reverse()
    .map(async (file) => {
      // Removed meanwhile: the oldest are deleted.
      const content = await readFile(path.join(folder, file), 'utf8').catch(() => undefined)
      return content === undefined ? [] : [{ file, ...parseMail(content) }]
    })
  return (await Promise.all(read)).flat()
}

export function parseMail(content: string): Omit<ReadMail, 'file'> {
  const [head, body] = splitHead(content)
  const boundary = /boundary="?([^";]+)"?/i.exec(findHeader(head, 'Content-Type'))?.[1]
  const parts = boundary === undefined ? [content] : body.split(`--${boundary}`)
  const plain = parts.find((part) => /^content-type:\s*text\/plain/im.test(splitHead(part)[0]))
  return {
    to: findHeader(head, 'To'),
    subject: decodeWords(findHeader(head, 'Subject')),
    date: findHeader(head, 'Date'),
    text: plain === undefined ? '' : decodeBody(plain),
  }
}

function splitHead(part: string): [head: string, body: string] {
  const text = part.replace(/^\r?\n/, '')
  const end = /\r?\n\r?\n/.exec(text)
  if (!end) return [text, '']
  return [text.slice(0, end.index), text.slice(end.index + end[0].length)]
}

/** Unfolded (RFC 5322, section 2.2.3); empty where there is none. */
function findHeader(head: string, name: string): string {
  const lines = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  const start = `${name.toLowerCase()}:`
  const line = lines.find((one) => one.toLowerCase().startsWith(start))
  return line?.slice(start.length).trim() ?? ''
}

/** RFC 2047; blanks between two encoded words are not part of the text. */
function decodeWords(text: string): string {
  const joined = text.replace(/(\?=)\s+(?==\?)/g, '$1')
  return joined.replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
    kind.toLowerCase() === 'b'
      ? Buffer.from(word, 'base64').toString()
      : decodeHex(word.replaceAll('_', ' ')),
  )
}

function decodeBody(part: string): string {
  const [head, body] = splitHead(part)
  const encoding = findHeader(head, 'Content-Transfer-Encoding').toLowerCase()
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding === 'quoted-printable') return decodeHex(body.replace(/=\r?\n/g, ''))
  return body
}

/** Quoted-printable (RFC 2045, section 6.7). */
function decodeHex(text: string): string {
  return text.replace(/(?:=[\dA-F]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll('=', ''), 'hex').toString(),
  )
}
