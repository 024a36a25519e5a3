import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import Database from 'libsql'
import { eventually } from '@einvoicing/servers/eventually'
import { newOrganization, type Organization } from '../stack/organization'
import { startStandalone, type Standalone } from '../stack/standalone'

const command = path.join(__dirname, '../../deploy/admin/dist/main.js')

let stack: Standalone
let organization: Organization

beforeAll(async () => {
  stack = await startStandalone()
  organization = await newOrganization(stack)
})
afterAll(() => stack.dispose())

function verify(): Promise<{ status: number | null; lines: Record<string, unknown>[] }> {
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: stack.dataDir }
  return new Promise((resolve) => {
    const words = [command, '--json', 'audit', 'verify']
    const child = execFile(process.execPath, words, { env }, (_, output) => {
      const lines = output.trim().split('\n')
      const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
      resolve({ status: child.exitCode, lines: parsed })
    })
  })
}

function change(log: string, sql: string): void {
  const direct = new Database(path.join(stack.dataDir, `${log}.db`))
  direct.exec(sql)
  direct.close()
}

const untilCheckpoints = () =>
  eventually(async () => {
    const kept = path.join(stack.dataDir, 'artefacts', 'audit')
    const files = await readdir(kept, { recursive: true })
    expect(files.filter((file) => file.endsWith('.json.gz/OBJECT.json'))).toHaveLength(2)
  }, 60_000)

const toFinding = (log: string, seq: number, problem: RegExp) =>
  expect.objectContaining({
    log,
    organizationId: organization.id,
    seq,
    problem: expect.stringMatching(problem) as unknown,
  })

test('manual changes are found, in both logs', async () => {
  const { invoices } = organization
  const { id } = await invoices.created()
  await invoices.decided(id)
  // Else the first ones come within a minute of the first entry.
  await stack.stop()
  await stack.restart()
  await untilCheckpoints()
  const intact = await verify()
  expect(intact).toMatchObject({ status: 0, lines: [{ chains: 2, broken: 0, checkpoints: 2 }] })

  await stack.stop()
  change(
    'invoices',
    `UPDATE audit SET entry = json_set(entry, '$.to', 'REJECTED') WHERE entry ->> '$.seq' = 3`,
  )
  change('organizations', `DELETE FROM audit WHERE entry ->> '$.seq' = 2`)
  const changed = await verify()
  expect(changed.status).toBe(1)
  expect(changed.lines).toContainEqual(toFinding('invoices', 3, /it was changed/))
  expect(changed.lines).toContainEqual(toFinding('organizations', 2, /entry 2 is missing/))
  expect(changed.lines.at(-1)).toMatchObject({ broken: 2, brokenCheckpoints: 0 })
}, 150_000)
