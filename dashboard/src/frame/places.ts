/** Every page of the navigation, in its order: where it is, how it is called, its sign. */

import type { Catalogue } from '../i18n/catalogue'
import type { IconName } from '../shown/icon'

export interface Place {
  path: string
  name: keyof Catalogue['frame']['pages']
  icon: IconName
}

export const navigation: readonly Place[] = [
  { path: '/start', name: 'start', icon: 'start' },
  { path: '/overview', name: 'overview', icon: 'overview' },
  { path: '/invoices', name: 'invoices', icon: 'document' },
  { path: '/keys', name: 'keys', icon: 'key' },
  { path: '/audit', name: 'audit', icon: 'audit' },
  { path: '/members', name: 'members', icon: 'members' },
  { path: '/organization', name: 'organization', icon: 'organization' },
]
