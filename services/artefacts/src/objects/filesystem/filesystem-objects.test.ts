import { execFileSync } from 'node:child_process'
import { promises as fs } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { systemClock } from '@einvoicing/runtime/clock'
import { openFilesystemObjects } from './filesystem-objects'
import { objectsContract, xml } from '../objects.contract'
import type { Objects } from '../objects'

const key = 'org-1/invoice-1/signed.xml'
const folders: string[] = []

const open = (folder: string) => openFilesystemObjects(folder, systemClock)

async function temporaryFolder(): Promise<string> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'objects-'))
  folders.push(folder)
  return folder
}

afterAll(() =>
  Promise.all(folders.map((folder) => fs.rm(folder, { recursive: true, force: true }))),
)

async function listFiles(folder: string): Promise<string[]> {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((e) => e.isFile()).map((e) => path.join(e.parentPath, e.name))
}

async function fileNamed(folder: string, name: string): Promise<string> {
  const file = (await listFiles(folder)).find((file) => path.basename(file) === name)
  if (!file) throw new Error(`no ${name} in ${folder}`)
  return file
}

async function openInFolder(): Promise<{ objects: Objects; folder: string }> {
  const folder = await temporaryFolder()
  const objects = await open(folder)
  await objects.put(key, xml('<Invoice/>'))
  return { objects, folder }
}

describe('filesystem', () => objectsContract(async () => open(await temporaryFolder())))

describe('filesystem, on disk', () => {
  it('keeps objects over a restart', async () => {
    const { folder } = await openInFolder()
    expect(await (await open(folder)).get(key)).toEqual(xml('<Invoice/>'))
  })

  it('stores plain private files that need no program to be read', async () => {
    const { folder } = await openInFolder()
    const file = await fileNamed(folder, 'signed.xml')
    expect(await fs.readFile(file, 'utf8')).toBe('<Invoice/>')
    expect(path.relative(folder, file)).toMatch(
      /^org-1\/[0-9a-f]{2}\/[0-9a-f]{2}\/invoice-1\/signed\.xml\/signed\.xml$/,
    )
    for (const each of await listFiles(folder)) {
      expect((await fs.stat(each)).mode & 0o777).toBe(0o400)
    }
    const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true })
    const modes = entries
      .filter((entry) => entry.isDirectory())
      .map(
        async ({ parentPath, name }) => (await fs.stat(path.join(parentPath, name))).mode & 0o777,
      )
    expect(new Set(await Promise.all(modes))).toEqual(new Set([0o700]))
  })

  it('never answers with damaged bytes', async () => {
    const { objects, folder } = await openInFolder()
    const file = await fileNamed(folder, 'signed.xml')
    await fs.chmod(file, 0o644)
    await fs.writeFile(file, '<Invoicf/>')
    await expect(objects.get(key)).rejects.toThrow(/damaged/)
    await expect(objects.put(key, xml('<Invoice/>'))).rejects.toThrow(/damaged/)
  })

  it.each(['signed.xml', 'OBJECT.json'])(
    'calls an object without its %s damaged, not absent',
    async (name) => {
      const { objects, folder } = await openInFolder()
      await fs.rm(await fileNamed(folder, name))
      await expect(objects.get(key)).rejects.toThrow(/damaged/)
    },
  )

  it('is unavailable, and misses nothing, while its folder is not mounted', async () => {
    const { objects, folder } = await openInFolder()
    await fs.rename(folder, `${folder}-away`)
    const unavailable = { code: 'SERVICE_UNAVAILABLE' }
    await expect(objects.get(key)).rejects.toMatchObject(unavailable)
    await expect(objects.put(key, xml('<Invoice/>'))).rejects.toMatchObject(unavailable)
    await expect(objects.check()).rejects.toMatchObject(unavailable)
    await fs.rename(`${folder}-away`, folder)
    expect(await objects.get(key)).toEqual(xml('<Invoice/>'))
    expect(await objects.get('org-1/invoice-2/signed.xml')).toBeUndefined()
  })

  it('calls no object damaged that could not be read', async () => {
    const { objects, folder } = await openInFolder()
    const file = await fileNamed(folder, 'signed.xml')
    await fs.rm(file)
    await fs.symlink(file, file)
    await expect(objects.get(key)).rejects.toThrow(/^ELOOP/)
  })

  it('says which setting to change when the folder cannot be made', async () => {
    const file = path.join(await temporaryFolder(), 'a-file')
    await fs.writeFile(file, '')
    await expect(open(path.join(file, 'artefacts'))).rejects.toThrow(/DATA_DIR/)
  })

  it('removes what a kill left behind, but not what another process is writing', async () => {
    const { folder } = await openInFolder()
    const incoming = path.join(folder, '.incoming')
    await fs.mkdir(path.join(incoming, 'unfinished'))
    const opened = (minutesLater: number) =>
      openFilesystemObjects(folder, () => new Date(Date.now() + minutesLater * 60_000))
    await opened(59)
    expect(await fs.readdir(incoming)).toEqual(['unfinished'])
    const objects = await opened(61)
    expect(await fs.readdir(incoming)).toEqual([])
    expect(await objects.get(key)).toEqual(xml('<Invoice/>'))
  })

  it('starts while another process moves what it has written', async () => {
    const { folder } = await openInFolder()
    // Listed, and then not there, as what is moved in between.
    await fs.symlink('moved', path.join(folder, '.incoming', 'moving'))
    expect(await (await open(folder)).get(key)).toEqual(xml('<Invoice/>'))
  })
})

describe('filesystem, on a full disk', () => {
  const disk = path.join(os.tmpdir(), `objects-disk-${process.pid}`)
  let mounted = false

  beforeAll(async () => {
    await fs.mkdir(disk)
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'none', disk], { stdio: 'ignore' })
      mounted = true
    } catch {
      process.stderr.write('SKIPPED: a full disk needs the right to mount a small one\n')
    }
  })

  afterAll(async () => {
    if (mounted) execFileSync('umount', [disk])
    await fs.rm(disk, { recursive: true, force: true })
  })

  it('answers SERVICE_UNAVAILABLE, leaves nothing half-written, and continues once there is space', async () => {
    if (!mounted) return
    const objects = await open(disk)
    const large = xml('x'.repeat(512 * 1024))
    await expect(objects.put(key, large)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(await objects.get(key)).toBeUndefined()
    expect(await listFiles(disk)).toEqual([])
    await objects.put(key, xml('<Invoice/>'))
    expect(await objects.get(key)).toEqual(xml('<Invoice/>'))
  })
})
