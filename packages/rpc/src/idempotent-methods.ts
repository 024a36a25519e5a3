import { ArtefactsDefinition } from '@einvoicing/proto/artefacts'
import { BatchesDefinition } from '@einvoicing/proto/batches'
import { InvoicesDefinition } from '@einvoicing/proto/invoices'
import { OrganizationsDefinition } from '@einvoicing/proto/organizations'
import { SignerDefinition } from '@einvoicing/proto/signer'

interface Definition {
  fullName: string
  methods: Record<string, { name: string; options: { idempotencyLevel?: string } }>
}

const definitions: readonly Definition[] = [
  ArtefactsDefinition,
  BatchesDefinition,
  InvoicesDefinition,
  OrganizationsDefinition,
  SignerDefinition,
]

/** `NO_SIDE_EFFECTS` or `IDEMPOTENT` in the proto. */
export const idempotentMethods: ReadonlySet<string> = new Set(definitions.flatMap(readPaths))

function readPaths({ fullName, methods }: Definition): string[] {
  return Object.values(methods)
    .filter(({ options }) => options.idempotencyLevel !== undefined)
    .map(({ name }) => `/${fullName}/${name}`)
}
