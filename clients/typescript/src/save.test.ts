import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { EinvoicingClient } from './client'

const bytes = '<Invoice/>'
const sha256 = createHash('sha256').update(bytes).digest('hex')

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'save-'))
})
afterEach(() => rm(folder, { recursive: true }))

function makeClient(body = bytes) {
  let sent = 0
  const client = new EinvoicingClient({
    baseUrl: 'http://127.0.0.1',
    apiKey: 'svc_sk_1',
    attempts: 2,
    fetch: async () => {
      sent += 1
      return new Response(body, { headers: { ETag: `"${sha256}"` } })
    },
  })
  return { client, countSent: () => sent }
}

const inFolder = (name: string) => path.join(folder, name)

it('keeps the mode of the file that is replaced', async () => {
  await writeFile(inFolder('private.xml'), 'older')
  await chmod(inFolder('private.xml'), 0o640)
  await makeClient().client.save('1', 'xml', { file: inFolder('private.xml') })
  expect(await readFile(inFolder('private.xml'), 'utf8')).toBe(bytes)
  expect((await stat(inFolder('private.xml'))).mode & 0o777).toBe(0o640)
})

describe('a link', () => {
  const save = (name: string) => makeClient().client.save('1', 'xml', { file: inFolder(name) })
  const isLink = async (name: string) => (await lstat(inFolder(name))).isSymbolicLink()

  it('stays, and the file that it leads to is replaced', async () => {
    await writeFile(inFolder('original.xml'), 'older')
    await symlink('original.xml', inFolder('link.xml'))
    expect(await save('link.xml')).toMatchObject({ file: inFolder('link.xml'), sha256 })
    expect(await isLink('link.xml')).toBe(true)
    expect(await readFile(inFolder('original.xml'), 'utf8')).toBe(bytes)
    expect((await readdir(folder)).sort()).toEqual(['link.xml', 'original.xml'])
  })

  it('leads to a file that does not exist yet, through others', async () => {
    await mkdir(inFolder('archive'))
    await symlink('archive', inFolder('folder'))
    await symlink('folder/second.xml', inFolder('first.xml'))
    await symlink('../new.xml', inFolder('archive/second.xml'))
    await save('first.xml')
    expect(await isLink('first.xml')).toBe(true)
    expect(await readFile(inFolder('new.xml'), 'utf8')).toBe(bytes)
  })

  it('to itself is an error', async () => {
    await symlink('loop.xml', inFolder('loop.xml'))
    await expect(save('loop.xml')).rejects.toThrow('ELOOP')
  })
})

describe('a pipe', () => {
  beforeEach(() => execFileSync('mkfifo', [inFolder('pipe')]))

  it('stays, and gets the bytes', async () => {
    const reading = readFile(inFolder('pipe'), 'utf8')
    await makeClient().client.save('1', 'xml', { file: inFolder('pipe') })
    expect(await reading).toBe(bytes)
    expect((await lstat(inFolder('pipe'))).isFIFO()).toBe(true)
    expect(await readdir(folder)).toEqual(['pipe'])
  })

  it('gets nothing of a damaged download', async () => {
    const { client } = makeClient('<Invoice>')
    const saving = client.save('1', 'xml', { file: inFolder('pipe') })
    await expect(saving).rejects.toMatchObject({ code: 'DOWNLOAD_DAMAGED' })
  })
})

it('does not write to a folder', async () => {
  await mkdir(inFolder('folder'))
  const { client } = makeClient()
  await expect(client.save('1', 'xml', { file: inFolder('folder') })).rejects.toThrow('EISDIR')
  expect(await readdir(folder)).toEqual(['folder'])
})

it('throws what `file` throws, after one request', async () => {
  const { client, countSent } = makeClient()
  const mistake = new TypeError("Cannot read properties of undefined (reading 'name')")
  const file = () => {
    throw mistake
  }
  await expect(client.save('1', 'xml', { file })).rejects.toBe(mistake)
  expect(countSent()).toBe(1)
})
