import { workerData } from 'node:worker_threads'
import { readPemCertificates } from './certificates'
import type { Examination, ExaminationThreadData } from './examination-threads'
import { examine, type Finding } from './examine-document'

const { trustedCertificates } = workerData as ExaminationThreadData
const certificates = readPemCertificates(trustedCertificates)

export function examineOnThread({ document, receivedAt }: Examination): Finding {
  return examine(document, { certificates, at: receivedAt })
}
