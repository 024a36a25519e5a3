import path from 'node:path'
import { unavailable } from '@einvoicing/domain/api-error'
import { deadlinesMs } from '@einvoicing/domain/limits'
import { Slots } from '@einvoicing/runtime/slots'
import { ReadThread } from '@einvoicing/stores/sqlite-read-thread'
import type { AuditPage } from '@einvoicing/proto/invoice'
import type { AuditQuestion } from './audit-worker'
import type { OrganizationStore } from '../store'

const what = 'The audit log'
const waitingMax = 200
const workerFile = path.join(__dirname, 'audit-worker.js')

/** Starts its thread with the first read, and again after it ended (decision 0148). */
export function auditReads(file: string): Pick<OrganizationStore, 'listAudit' | 'close'> {
  let thread: ReadThread<AuditQuestion, AuditPage> | undefined
  const start = () =>
    new ReadThread<AuditQuestion, AuditPage>(workerFile, {
      what,
      thread: 'audit',
      workerData: { file },
      onDeath: () => (thread = undefined),
    })
  const turns = new Slots({
    count: 1,
    waitingMax,
    toError: () => unavailable(what, new Error('too many reads are waiting')),
  })
  return {
    listAudit(...question) {
      const [organizationId] = question
      const read = () => (thread ??= start()).read(question)
      return turns.run(organizationId, AbortSignal.timeout(deadlinesMs.rpc), read)
    },
    close: async () => thread?.close(),
  }
}
