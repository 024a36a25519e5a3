import { roles } from '@einvoicing/domain/role'
import { textOneOf } from '../fields/answer-fields'

export const roleSchema = textOneOf(roles).describe(
  'READ_ONLY: read access. MEMBER: also creates and changes invoices. OWNER: full access.',
)
