// The audit log as a spreadsheet in the reader's language shows it: numbers and names instead of
// ids, local time, and in French the semicolon that its Excel separates cells by.

import { auditActionLabels } from '@einvoicing/domain/audit-actions'
import { translateAuditDetail } from '@einvoicing/domain/audit-details'
import { statusNames } from '@einvoicing/domain/status-names'
import type { AuditEntry } from '@einvoicing/proto/invoice'

export type SheetLanguage = 'fr' | 'en'

interface SheetTexts {
  separator: string
  heading: readonly string[]
  apiKey: string
  service: string
}

const texts: Record<SheetLanguage, SheetTexts> = {
  fr: {
    separator: ';',
    heading: ['Date', 'Auteur', 'Action', 'Facture', 'De', 'Vers', 'Détails', 'Identifiant'],
    apiKey: 'Clé d’API',
    service: 'Service',
  },
  en: {
    separator: ',',
    heading: ['Date', 'User', 'Action', 'Invoice', 'From', 'To', 'Details', 'Invoice ID'],
    apiKey: 'API key',
    service: 'Service',
  },
}

export interface Sheet {
  separator: string
  heading: readonly string[]
  toCells: (entry: AuditEntry, invoiceNumber: string | null) => string[]
}

/** `keyNames`: the names of API keys by their ids. */
export function createSheet(language: SheetLanguage, keyNames: ReadonlyMap<string, string>): Sheet {
  const { separator, heading, apiKey, service } = texts[language]
  const labels = auditActionLabels(language)
  const nameActor = (actor: string) => {
    const [kind = '', ...rest] = actor.split(':')
    const id = rest.join(':')
    if (kind === 'api-key') return `${apiKey} ${keyNames.get(id) ?? id}`
    return kind === 'service' ? `${service} ${id}` : id
  }
  const nameStatus = (status = '') =>
    (statusNames[language] as Readonly<Record<string, string>>)[status] ?? status
  return {
    separator,
    heading,
    toCells: ({ at, actor, action, from, to, detail, invoiceId }, invoiceNumber) => [
      toLocalTime(at, language),
      nameActor(actor),
      labels[action] ?? action,
      invoiceNumber ?? '',
      nameStatus(from),
      nameStatus(to),
      keyNames.get(detail ?? '') ?? translateAuditDetail(action, detail ?? '', language),
      invoiceId ?? '',
    ],
  }
}

const parts = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Africa/Casablanca',
  dateStyle: 'short',
  timeStyle: 'medium',
})

/** A form that the spreadsheet of the language takes as a moment. */
function toLocalTime(at: string, language: SheetLanguage): string {
  const local = parts.format(new Date(at))
  if (language === 'en') return local
  return local.replace(/^(\d+)-(\d+)-(\d+)/, '$3/$2/$1')
}
