/** Settings of the invoices service. */

import path from 'node:path'
import type { EnvReader } from '@einvoicing/kernel/env'

export interface InvoicesConfig {
  store: { kind: 'sqlite'; file: string }
}

export function readInvoicesConfig(_env: EnvReader, dataDir: string): InvoicesConfig {
  return { store: { kind: 'sqlite', file: path.join(dataDir, 'invoices.db') } }
}
