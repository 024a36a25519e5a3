/** A demo organization with complete mentions, made once on a new data folder, so that a first invoice takes minutes. */

import { randomBytes, randomUUID } from 'node:crypto'
import { deadlinesMs } from '@einvoicing/kernel/limits'
import type { Call, Service } from '@einvoicing/kernel/rpc'
import type { LegalMentions } from '@einvoicing/proto/invoice'
import type { OrganizationsService } from '@einvoicing/proto/organizations'

export interface Demo {
  email: string
  password: string
  apiKey: string
}

const email = 'demo@example.ma'

const mentions: LegalMentions = {
  name: 'Société Démo SARL',
  legalForm: 'SARL',
  capital: '100 000 MAD',
  address: '12, boulevard Mohammed V',
  city: 'Casablanca',
  ice: '001234567000089',
  if: '12345678',
  rc: '98765 Casablanca',
  tp: '34567890',
  cnss: '4567890',
  rib: '011780000012345678901234',
  phone: '+212 522 000 000',
  email,
}

export async function makeDemo(organizations: Service<OrganizationsService>): Promise<Demo> {
  const call = (organizationId?: string): Call => ({
    caller: { service: 'gateway', organizationId, actor: 'service:standalone' },
    requestId: randomUUID(),
    deadline: Date.now() + deadlinesMs.rpc,
  })
  const password = randomBytes(12).toString('base64url')
  const { organizationId } = await organizations.signUp(
    { organizationName: mentions.name, email, password, clientAddress: '127.0.0.1' },
    call(),
  )
  await organizations.updateLegalMentions(mentions, call(organizationId))
  const { key } = await organizations.createApiKey({ name: 'demo' }, call(organizationId))
  return { email, password, apiKey: key }
}
