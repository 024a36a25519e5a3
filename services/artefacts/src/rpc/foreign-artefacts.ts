import { metrics } from '@einvoicing/runtime/metrics'
import { Counter } from 'prom-client'

export const foreignArtefacts = new Counter({
  name: 'einvoicing_foreign_artefacts_total',
  help: 'Artefacts found in the archive that this service did not write, by artefact: pdf, qr, evidence',
  labelNames: ['artefact'] as const,
  registers: [metrics],
})
