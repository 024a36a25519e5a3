/** The commands of docs/operations/backup-and-restore.md for what we ship, typed as they are. */

import { execFile } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { describeWithOwn } from '@einvoicing/servers/describe-with'
import { startMongod, type Mongod } from '@einvoicing/servers/mongod'
import { MongoClient } from 'mongodb'
import { parse } from 'yaml'
import { allContainers, buildOverlay, workloads } from './manifests'

const run = promisify(execFile)
const root = path.join(__dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const sections = read('docs/operations/backup-and-restore.md').split(/^## /m)
const findSection = (title: string) => sections.find((section) => section.startsWith(title))!
const findBlocks = (section: string) =>
  [...section.matchAll(/^```sh\n([^`]*)```/gm)].map(([, commands]) => commands!)

let folder: string
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'backup-'))))
afterEach(() => rmSync(folder, { recursive: true }))

describe('standalone', () => {
  const [backUp = '', restore = ''] = findBlocks(findSection('Standalone: one folder'))
  const at = (...names: string[]) => path.join(folder, ...names)
  const write = (file: string) => {
    mkdirSync(path.dirname(at(file)), { recursive: true })
    writeFileSync(at(file), file)
  }

  beforeEach(() => {
    // In the place of the real one, which a machine may lack.
    mkdirSync(at('bin'))
    const copies = `#!/bin/sh\nto=\${2#".backup '"}\ncp "$1" "\${to%"'"}"\n`
    writeFileSync(at('bin/sqlite3'), copies, { mode: 0o755 })
    for (const file of ['organizations.db', 'invoices.db', 'artefacts/a', 'signer/key.pem']) {
      write(`data/${file}`)
    }
  })
  const type = (commands: string) =>
    run('sh', ['-c', commands.replaceAll('/backup/', `${at('copy')}/`)], {
      cwd: folder,
      env: { PATH: `${at('bin')}:${process.env['PATH']}` },
    })

  test('what there is comes back, the authority of time stamps too', async () => {
    const names = ['tsa-root.pem', 'submissions.db', 'submissions.db-wal']
    for (const name of names) write(`data/simulator/${name}`)
    write('data/artefacts/.incoming/being-written')
    await type(backUp)
    await type(backUp)
    rmSync(at('data'), { recursive: true })
    await type(restore.split('\n')[0]!)
    expect(readdirSync(at('data')).sort()).toEqual(
      ['artefacts', 'invoices.db', 'organizations.db', 'signer', 'simulator'].sort(),
    )
    expect(readdirSync(at('data/artefacts'))).toEqual(['a'])
    expect(readdirSync(at('data/simulator')).sort()).toEqual(['submissions.db', 'tsa-root.pem'])
  })

  test('folders that there are not are no failure', async () => {
    expect((await type(backUp)).stdout).toBe('artefacts\ninvoices.db\norganizations.db\nsigner\n')
  })

  test.each(['invoices.db', 'signer', 'artefacts'])(
    'fails where %s cannot be copied',
    async (name) => {
      write('copy/today/yesterday')
      const fails = `#!/bin/sh\ncase "$*" in *data/${name}*) exit 1 ;; esac\nPATH=/usr/bin:/bin exec cp "$@"\n`
      writeFileSync(at('bin/cp'), fails, { mode: 0o755 })
      await expect(type(backUp)).rejects.toMatchObject({ stdout: '' })
      expect(readdirSync(at('copy/today'))).toEqual(['yesterday'])
    },
  )
})

const shipped = findSection('The MongoDB of `docker-compose.yml`')
const [compose = '', kubernetes = ''] = findBlocks(shipped)

test('the commands for MongoDB name what compose and the manifests have', () => {
  const project = parse(read('docker-compose.yml'), { merge: true, maxAliasCount: -1 }) as {
    name: string
    services: Record<string, { entrypoint?: string[]; image: string; volumes?: string[] }>
  }
  const { entrypoint, image, volumes } = project.services['mongodb']!
  expect(compose).toContain('docker compose exec -T mongodb bash')
  expect(entrypoint?.join(' ')).toContain('/tmp/members')
  expect(volumes).toEqual(['mongodb:/data/db'])
  expect(shipped).toContain(`-v ${project.name}_mongodb:/from:ro`)
  expect(shipped).toContain(`/to ${image} cp`)
  const mongodb = workloads(buildOverlay('local')).find(({ name }) => name === 'mongodb')!
  expect(mongodb.kind).toBe('StatefulSet')
  expect(kubernetes).toContain(`exec -i mongodb-0 -c ${mongodb.pod.containers[0]!.name} `)
  expect(allContainers(mongodb.pod)[0]).toMatchObject({
    command: expect.arrayContaining(['/tmp/members']) as string[],
  })
  const [claim] = mongodb.manifest.spec.volumeClaimTemplates as { metadata: { name: string } }[]
  expect(shipped).toContain(`pvc ${claim!.metadata.name}-mongodb-0`)
  expect(compose).toContain('replicaSet=rs0&')
})

describeWithOwn('mongod', 'the sign-in as a member', () => {
  let server: Mongod
  let data: string
  beforeAll(async () => {
    data = mkdtempSync(path.join(tmpdir(), 'backup-mongod-'))
    const credentials = { user: 'admin', password: 'a-password' }
    server = await startMongod({ credentials, folder: data })
  })
  afterAll(async () => {
    await server.dispose()
    rmSync(data, { recursive: true })
  })

  test('may back up and restore everything', async () => {
    const { port } = new URL(server.url.replace('mongodb:', 'http:'))
    copyFileSync(path.join(data, 'members.key'), path.join(folder, 'members'))
    const here = compose
      .replaceAll('/tmp/', `${folder}/`)
      .replace(':27017', `:${port}`)
      .replace('docker compose exec -T mongodb bash', 'bash')
    const print = `${here}\nin_mongodb 'cat ${folder}/tools.yaml'`
    const { stdout } = await run('bash', ['-c', print])
    const { uri } = parse(stdout) as { uri: string }
    expect(readdirSync(folder)).toEqual(['members'])
    const client = new MongoClient(uri)
    try {
      const last = await client.db('local').collection('oplog.rs').findOne()
      expect(last).toHaveProperty('ts')
      expect(await client.db('admin').collection('system.users').countDocuments()).toBe(1)
      expect(await client.db('admin').command({ applyOps: [] })).toMatchObject({ ok: 1 })
    } finally {
      await client.close()
    }
  })
})
