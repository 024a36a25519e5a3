import path from 'node:path'
import { ReadThread } from '@einvoicing/stores/sqlite-read-thread'
import type { AuditPage } from '@einvoicing/proto/invoice'
import type { AuditQuestion } from './audit-worker'
import type { OrganizationStore } from '../store'

const workerFile = path.join(__dirname, 'audit-worker.js')

/** Starts its thread with the first read, and again after it ended (decision 0148). */
export function auditReads(file: string): Pick<OrganizationStore, 'listAudit' | 'close'> {
  let thread: ReadThread<AuditQuestion, AuditPage> | undefined
  const start = () =>
    new ReadThread<AuditQuestion, AuditPage>(workerFile, {
      what: 'The audit log',
      thread: 'audit',
      workerData: { file },
      onDeath: () => (thread = undefined),
    })
  return {
    listAudit(...question) {
      const [lane] = question
      return (thread ??= start()).read(question, { lane })
    },
    close: async () => thread?.close(),
  }
}
