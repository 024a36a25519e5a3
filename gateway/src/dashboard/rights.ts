import { checkRole, type Role } from '@einvoicing/domain/role'
import { authorize, getMember } from '../http/exchange'
import type { Handle, Method, RouteTable } from '../http/route-table'

/** Every method but GET throws `FORBIDDEN` for a lesser role. */
export function requireRoleForWrites(needed: Role, table: RouteTable): RouteTable {
  return Object.fromEntries(
    Object.entries(table).map(([path, handles]) => [path, guardWrites(needed, handles)]),
  )
}

function guardWrites(needed: Role, handles: RouteTable[string]): RouteTable[string] {
  const entries = Object.entries(handles) as [Method, Handle][]
  return Object.fromEntries(
    entries.map(([method, handle]) => [
      method,
      method === 'GET' ? handle : requireRole(needed, handle),
    ]),
  )
}

const requireRole =
  (needed: Role, handle: Handle): Handle =>
  async (request, response) => {
    await authorize(response, async () => checkRole(getMember(response).role, needed))
    await handle(request, response)
  }
