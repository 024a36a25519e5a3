import type { Log } from '@einvoicing/runtime/log'
import { metrics } from '@einvoicing/runtime/metrics'
import { Counter } from 'prom-client'

const found = new Counter({
  name: 'einvoicing_foreign_artefacts_total',
  help: 'Artefacts found in the archive that this service did not write, by artefact: pdf, qr, evidence',
  labelNames: ['artefact'] as const,
  registers: [metrics],
})

const notDrawn =
  'is not the document that was drawn, and is not locked by this service: if no earlier version of the service drew it, replace the key of the archive and delete this object; it is then drawn on request'

const sentences = {
  pdf: notDrawn,
  qr: notDrawn,
  evidence:
    'is not valid evidence of this invoice and is skipped: find out who can write to the archive',
} as const

interface Foreign {
  key: string
  invoiceId: string
  organizationId: string
  drawnSha256?: string
  problem?: string
}

export function reportForeign(
  log: Log,
  artefact: keyof typeof sentences,
  { key, ...fields }: Foreign,
): void {
  found.inc({ artefact })
  log.error(fields, `${key} ${sentences[artefact]}`)
}
