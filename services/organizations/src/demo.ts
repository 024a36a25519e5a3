import type { Deps } from './deps'
import { addApiKey } from './create-api-key'
import { writeLegalMentions } from './organization'
import { addOrganization } from './sign-up'

export interface DemoOrganization {
  organizationId: string
  email: string
  password: string
  apiKey: string
}

const email = 'demo@example.com'

// ICE and RIB pass their check digits (mod 97).
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

/** Works when sign-up is closed too; `undefined` when any organization exists. */
export async function createDemo(deps: Deps): Promise<DemoOrganization | undefined> {
  if (await deps.store.hasOrganizations()) return undefined
  const password = Buffer.from(deps.randomBytes(12)).toString('base64url')
  const applicant = { organizationName: mentions.name, email, password }
  const { id: organizationId } = await addOrganization(deps, applicant)
  const by = { organizationId, actor: `user:${email}` }
  await writeLegalMentions(deps, { mentions, expectedTag: undefined }, by)
  const { key } = await addApiKey(deps, { name: 'Demo', scopes: [], allowedNetworks: [] }, by)
  return { organizationId, email, password, apiKey: key }
}
