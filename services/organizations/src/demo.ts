/**
 * The organization that `make run` makes on a new folder, so that a first invoice is one command
 * away.
 */

import type { Deps } from './deps'
import { addApiKey } from './create-api-key'
import { writeLegalMentions } from './organization'
import { addOrganization } from './sign-up'

/** What the operator is shown, once. */
export interface DemoOrganization {
  organizationId: string
  email: string
  password: string
  apiKey: string
}

const email = 'demo@example.com'

// Its ICE passes its check key (mod 97 = 0) and its RIB too, so that no checker down the line
// complains.
const mentions = {
  name: 'Atelier Démo SARL',
  legalForm: 'SARL',
  capital: '100 000 MAD',
  address: '12, rue des Orangers',
  city: 'Casablanca',
  ice: '001523467000017',
  if: '12345678',
  rc: '123456',
  tp: '35791113',
  cnss: '1234567',
  rib: '011780000012345678901296',
  phone: '+212 522 00 00 00',
  email,
}

/** Made whether or not sign-up is open; `undefined` where there is any organization already. */
export async function createDemo(deps: Deps): Promise<DemoOrganization | undefined> {
  if (await deps.store.hasOrganizations()) return undefined
  const password = Buffer.from(deps.randomBytes(12)).toString('base64url')
  const applicant = { organizationName: mentions.name, email, password }
  const { id: organizationId } = await addOrganization(deps, applicant)
  const by = { organizationId, actor: `user:${email}` }
  await writeLegalMentions(deps, { mentions, expectedTag: undefined }, by)
  const { key } = await addApiKey(deps, { name: 'Demo' }, by)
  return { organizationId, email, password, apiKey: key }
}
