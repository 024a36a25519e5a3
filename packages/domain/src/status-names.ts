import type { InvoiceStatus } from './invoice-status'
import type { Role } from './role'

/** For the dashboard and its files. */
export const statusNames = {
  fr: {
    PENDING: 'Brouillon',
    SIGNED: 'Signée',
    TRANSMITTED: 'Transmise',
    ACCEPTED: 'Acceptée',
    REJECTED: 'Rejetée',
    FAILED: 'Échec',
    CANCELLED: 'Annulée',
  },
  en: {
    PENDING: 'Draft',
    SIGNED: 'Signed',
    TRANSMITTED: 'Transmitted',
    ACCEPTED: 'Accepted',
    REJECTED: 'Rejected',
    FAILED: 'Failed',
    CANCELLED: 'Cancelled',
  },
} as const satisfies Record<'fr' | 'en', Record<InvoiceStatus, string>>

export const roleNames = {
  fr: {
    OWNER: 'Propriétaire',
    MEMBER: 'Membre',
    ACCOUNTANT: 'Comptable',
    READ_ONLY: 'Lecture seule',
  },
  en: { OWNER: 'Owner', MEMBER: 'Member', ACCOUNTANT: 'Accountant', READ_ONLY: 'Read-only' },
} as const satisfies Record<'fr' | 'en', Record<Role, string>>
