/** What a role may do at the dashboard: everyone reads; what changes something needs a role. */

import { checkRole, type Role } from '@einvoicing/domain/role'
import { authorize, memberOf } from '../http/exchange'
import type { Handle, Method, RouteTable } from '../http/route-table'

/** The same routes, all of whose methods but GET throw `FORBIDDEN` for a lesser role. */
export function writesNeed(needed: Role, table: RouteTable): RouteTable {
  return Object.fromEntries(
    Object.entries(table).map(([path, handles]) => [path, guarded(needed, handles)]),
  )
}

function guarded(needed: Role, handles: RouteTable[string]): RouteTable[string] {
  const entries = Object.entries(handles) as [Method, Handle][]
  return Object.fromEntries(
    entries.map(([method, handle]) => [method, method === 'GET' ? handle : only(needed, handle)]),
  )
}

const only =
  (needed: Role, handle: Handle): Handle =>
  async (request, response) => {
    await authorize(response, async () => checkRole(memberOf(response).role, needed))
    await handle(request, response)
  }
