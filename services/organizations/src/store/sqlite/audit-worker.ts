import { workerData } from 'node:worker_threads'
import { auditPages, type ReadAuditPage } from '@einvoicing/stores/sqlite-audit-log'
import { answerReads } from '@einvoicing/stores/sqlite-read-worker'

export type AuditQuestion = Parameters<ReadAuditPage>

answerReads((workerData as { file: string }).file, (reader) => {
  const readPage = auditPages(reader)
  return (question: AuditQuestion) => readPage(...question)
})
