import { roles } from '@einvoicing/domain/role'
import { textOneOf } from '../fields/answer-fields'

export const roleSchema = textOneOf(roles).describe(
  'READ_ONLY: read access. ACCOUNTANT: reads and exports everything, changes nothing. MEMBER: also creates and changes invoices. OWNER: full access.',
)
