import type { Catalogue } from '../i18n/catalogue'
import type { IconName } from '../components/icon'

export interface NavigationItem {
  path: string
  name: keyof Catalogue['frame']['pages']
  icon: IconName
}

export const navigation: readonly NavigationItem[] = [
  { path: '/start', name: 'start', icon: 'start' },
  { path: '/overview', name: 'overview', icon: 'overview' },
  { path: '/invoices', name: 'invoices', icon: 'document' },
  { path: '/keys', name: 'keys', icon: 'key' },
  { path: '/audit', name: 'audit', icon: 'audit' },
  { path: '/members', name: 'members', icon: 'members' },
  { path: '/organization', name: 'organization', icon: 'organization' },
]
