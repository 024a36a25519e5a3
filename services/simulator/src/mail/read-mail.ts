/** The messages of a sandbox without a mail server: files, as RFC 5322 and MIME write them. */

import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

export interface ReadMail {
  /** Name of its file. */
  file: string
  to: string
  subject: string
  /** ISO 8601; empty when the message has none. */
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
      const content = await readFile(path.join(folder, file)).catch(() => undefined)
      return content === undefined ? [] : [{ file, ...(await parseMail(content)) }]
    })
  return (await Promise.all(read)).flat()
}

export async function parseMail(content: string | Buffer): Promise<Omit<ReadMail, 'file'>> {
  // Loaded when the page is opened: the start does not wait for it.
  const { default: PostalMime } = await import('postal-mime')
  const { to = [], subject = '', date = '', text = '' } = await PostalMime.parse(content)
  return { to: to.map(({ address }) => address ?? '').join(', '), subject, date, text }
}
