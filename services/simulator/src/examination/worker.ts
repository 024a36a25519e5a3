import { parentPort, workerData } from 'node:worker_threads'
import { readPemCertificates } from './certificates'
import type { Examination, ExaminationThreadData } from './examination-thread'
import { examine } from './examine-document'

const { trustedCertificates } = workerData as ExaminationThreadData
const certificates = readPemCertificates(trustedCertificates)

parentPort?.on('message', ({ document, receivedAt }: Examination) => {
  parentPort?.postMessage(examine(document, { certificates, at: receivedAt }))
})
