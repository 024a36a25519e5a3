/**
 * A platform that fails, hangs, restarts, or is unavailable: every invoice still ends decided,
 * exactly once.
 */

import { readFile } from 'node:fs/promises'
import { newOrganization } from '../stack/organization'
import { findFreePort } from '@einvoicing/servers/ports'
import { startStandalone, type Standalone } from '../stack/standalone'
import { eventually } from '@einvoicing/servers/eventually'
import { inBatches } from '@einvoicing/servers/in-batches'
import { startPlatform } from './platform-process'
import {
  expectAudit,
  expectDocuments,
  setBehaviour,
  submissionTotal,
  untilAllDecided,
} from './record'

let stack: Standalone
afterEach(() => stack.dispose())

const problems = {
  errorRate: 0.08,
  cutRate: 0.1,
  lostAnswerRate: 0.15,
  htmlRate: 0.05,
  alreadyReportedRate: 0.05,
  duplicateRate: 0.05,
}
const healed = Object.fromEntries(Object.keys(problems).map((name) => [name, 0]))

test('a platform that fails, cuts connections and loses answers decides each invoice once', async () => {
  stack = await startStandalone()
  const organization = await newOrganization(stack)
  const { invoices } = organization
  await setBehaviour(stack.simulatorUrl, problems)
  await inBatches(Array.from({ length: 60 }), () => invoices.created())
  await eventually(
    async () => {
      const { data } = await invoices.list({ status: 'ACCEPTED', size: 1 })
      expect(data.totalElements).toBeGreaterThan(30)
    },
    60_000,
    500,
  )
  await setBehaviour(stack.simulatorUrl, healed)
  const all = await untilAllDecided(invoices, 60_000)
  expect(all.map(({ status }) => status)).toEqual(Array(60).fill('ACCEPTED'))
  expect(await submissionTotal(stack.simulatorUrl)).toBe(60)
  await expectAudit(organization, all)
  await expectDocuments(invoices, all)
}, 150_000)

test('an unavailable platform at start does not stop creation; once back, it decides all', async () => {
  const port = await findFreePort()
  stack = await startStandalone({ env: { CLEARANCE_URL: `http://127.0.0.1:${port}` } })
  const organization = await newOrganization(stack)
  await inBatches(Array.from({ length: 20 }), () => organization.invoices.created())
  const before = (await organization.invoices.list({ status: 'SIGNED' })).data.totalElements
  expect(before).toBe(20)

  const platform = await startPlatform({ port, dataDir: stack.dataDir })
  try {
    const all = await untilAllDecided(organization.invoices, 60_000)
    expect(all.map(({ status }) => status)).toEqual(Array(20).fill('ACCEPTED'))
    expect(await submissionTotal(platform.url)).toBe(20)
    await expectAudit(organization, all)
  } finally {
    await platform.stop()
  }
}, 120_000)

test('a killed and restarted platform loses nothing', async () => {
  stack = await startStandalone()
  const organization = await newOrganization(stack)
  for (let round = 0; round < 2; round += 1) {
    await inBatches(Array.from({ length: 24 }), () => organization.invoices.created())
    process.kill(await findChild(stack.pid()), 'SIGKILL')
    await inBatches(Array.from({ length: 8 }), () => organization.invoices.created())
    await eventually(() => submissionTotal(stack.simulatorUrl), 60_000)
  }
  const all = await untilAllDecided(organization.invoices, 60_000)
  expect(all.map(({ status }) => status)).toEqual(Array(64).fill('ACCEPTED'))
  expect(await submissionTotal(stack.simulatorUrl)).toBe(64)
  await expectAudit(organization, all)
}, 120_000)

/** The simulator of a standalone process: its only child. */
async function findChild(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  const [child, ...others] = children.trim().split(/\s+/).map(Number)
  if (!child || others.length > 0) throw new Error(`${pid} has the children "${children}"`)
  return child
}
