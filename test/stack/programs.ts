/**
 * Other people's readers of our documents, run as programs: poppler for PDF, zbar for QR images.
 */

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The text of a PDF in reading order. */
export async function pdfText(pdf: Buffer): Promise<string> {
  return withFile('invoice.pdf', pdf, async (file) => {
    const { stdout } = await run('pdftotext', ['-layout', file, '-'])
    return stdout
  })
}

/** What a QR image says. */
export async function qrText(png: Buffer): Promise<string> {
  return withFile('qr.png', png, async (file) => {
    const { stdout } = await run('zbarimg', ['--quiet', '--raw', '-Sbinary', file])
    return stdout
  })
}

/** The QR on a page of a PDF, found as a camera would. */
export async function qrTextOfPdf(pdf: Buffer): Promise<string> {
  return withFile('invoice.pdf', pdf, async (file) => {
    const page = path.join(path.dirname(file), 'page')
    await run('pdftoppm', ['-r', '200', '-png', '-singlefile', file, page])
    const { stdout } = await run('zbarimg', ['--quiet', '--raw', `${page}.png`])
    return stdout.trim()
  })
}

/** The only file that is attached to a PDF. */
export async function attachmentOfPdf(pdf: Buffer): Promise<Buffer> {
  return withFile('invoice.pdf', pdf, async (file) => {
    const saved = path.join(path.dirname(file), 'attachment')
    await run('pdfdetach', ['-save', '1', '-o', saved, file])
    return readFile(saved)
  })
}

async function withFile<T>(
  name: string,
  bytes: Buffer,
  use: (file: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'einvoicing-document-'))
  try {
    const file = path.join(folder, name)
    await writeFile(file, bytes)
    return await use(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
