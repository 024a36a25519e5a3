// A method that is not listed is open to the callers of its service.

import type { ArtefactsService } from '@einvoicing/proto/artefacts'
import type { InvoicesService } from '@einvoicing/proto/invoices'
import type { OrganizationsService } from '@einvoicing/proto/organizations'
import type { SignerService } from '@einvoicing/proto/signer'
import { ApiError } from '@einvoicing/domain/api-error'
import type { ServiceName } from './service-name'

interface Callers<C> {
  callers: readonly ServiceName[]
  methods?: { readonly [M in keyof C]?: readonly ServiceName[] }
}

const organizations: Callers<OrganizationsService> = { callers: ['gateway'] }

const invoices: Callers<InvoicesService> = {
  callers: ['gateway'],
  methods: { readSignedXml: ['gateway', 'clearance'] },
}

const signer: Callers<SignerService> = { callers: ['invoices'] }

// The gateway only reads: a stolen gateway must not write to the archive.
const artefacts: Callers<ArtefactsService> = {
  callers: ['invoices'],
  methods: {
    readPdf: ['gateway'],
    drawPreview: ['gateway'],
    readQr: ['gateway'],
    readTrust: ['gateway'],
    timeStampDigest: ['invoices', 'organizations'],
    keepAuditCheckpoint: ['invoices', 'organizations'],
    checkArtefacts: ['gateway', 'invoices'],
  },
}

const table: Readonly<Partial<Record<ServiceName, Callers<Record<string, unknown>>>>> = {
  organizations,
  invoices,
  signer,
  artefacts,
}

export function checkMayCall(
  { service }: { service: ServiceName },
  called: ServiceName,
  method: string,
): void {
  const { callers = [], methods = {} } = table[called] ?? {}
  if ((methods[method] ?? callers).includes(service)) return
  throw new ApiError('CALLER_REFUSED', `The service ${service} may not call ${called}.${method}.`)
}

export function listCallers(called: ServiceName): ServiceName[] {
  const { callers = [], methods = {} } = table[called] ?? {}
  return [...new Set([...callers, ...Object.values(methods).flatMap((each) => each ?? [])])]
}

export interface Pair {
  caller: ServiceName
  called: ServiceName
}

export const pairs: readonly Pair[] = (Object.keys(table) as ServiceName[]).flatMap((called) =>
  listCallers(called).map((caller) => ({ caller, called })),
)
