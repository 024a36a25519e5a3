import { checkRole, type Role } from '@einvoicing/domain/role'
import { authorize, getMember } from '../http/exchange'
import type { Handle } from '../http/route-table'

/** Throws `FORBIDDEN` for a lesser role. */
export const requireRole =
  (needed: Role, handle: Handle): Handle =>
  async (request, response) => {
    await authorize(response, async () => checkRole(getMember(response).role, needed))
    await handle(request, response)
  }
