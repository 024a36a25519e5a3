import type { Environment } from '@einvoicing/domain/environment'
import type { OrganizationsService } from '@einvoicing/proto/organizations'
import type { Service } from '@einvoicing/rpc/call'
import type { Log } from '@einvoicing/runtime/log'
import type { SessionDeps } from './session'

export interface OrganizationsDeps {
  organizations: Service<OrganizationsService>
}

export interface SessionRouteDeps extends OrganizationsDeps {
  session: SessionDeps
}

export interface AccountDeps extends SessionRouteDeps {
  environment: Environment
  log: Log
}
