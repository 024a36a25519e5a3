import type { Membership } from '@einvoicing/proto/organizations'
import { z } from 'zod'
import { uuid } from '../fields/answer-fields'
import { roleSchema } from './role-schema'

export const membershipSchema = z.object({
  organizationId: uuid,
  name: z.string(),
  role: roleSchema,
})

export function presentMembership({
  organizationId,
  organizationName: name,
  role,
}: Membership): z.infer<typeof membershipSchema> {
  return { organizationId, name, role }
}
