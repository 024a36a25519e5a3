// Numbers and names instead of ids, local time, and a semicolon for Excel in French.

import { auditActionLabels } from '@einvoicing/domain/audit-actions'
import { translateAuditDetail } from '@einvoicing/domain/audit-details'
import { statusNames } from '@einvoicing/domain/status-names'
import type { AuditEntry } from '@einvoicing/proto/invoice'

export type SheetLanguage = 'fr' | 'en'

export const entriesWrittenMax = 10_000

export const cutNotes: Record<SheetLanguage, string> = {
  fr: `Seules les ${entriesWrittenMax} entrées les plus récentes figurent ici. Demandez moins de jours.`,
  en: `Only the newest ${entriesWrittenMax} entries are here. Ask for fewer days.`,
}

interface SheetTexts {
  separator: string
  heading: readonly string[]
  apiKey: string
  service: string
  operator: string
}

const texts: Record<SheetLanguage, SheetTexts> = {
  fr: {
    separator: ';',
    heading: [
      ...['Date', 'Auteur', 'Action', 'Facture', 'De', 'Vers', 'Détails', 'Identifiant'],
      ...['Réseau', 'Appareil', 'N° d’entrée', 'Empreinte'],
    ],
    apiKey: 'Clé d’API',
    service: 'Service',
    operator: 'Exploitant',
  },
  en: {
    separator: ',',
    heading: [
      ...['Date', 'User', 'Action', 'Invoice', 'From', 'To', 'Details', 'Invoice ID'],
      ...['Network', 'Device', 'Entry no.', 'Hash'],
    ],
    apiKey: 'API key',
    service: 'Service',
    operator: 'Operator',
  },
}

export interface Sheet {
  separator: string
  heading: readonly string[]
  cut: string
  toCells: (entry: AuditEntry, invoiceNumber: string | null) => string[]
}

/** `keyNames`: the names of API keys by their ids. */
export function createSheet(language: SheetLanguage, keyNames: ReadonlyMap<string, string>): Sheet {
  const { separator, heading, apiKey, service, operator } = texts[language]
  const labels = auditActionLabels(language)
  const nameActor = (actor: string) => {
    const [kind = '', ...rest] = actor.split(':')
    const id = rest.join(':')
    if (kind === 'operator') return `${operator} ${id}`.trim()
    if (kind === 'api-key') return `${apiKey} ${keyNames.get(id) ?? id}`
    return kind === 'service' ? `${service} ${id}` : id
  }
  const nameStatus = (status = '') =>
    (statusNames[language] as Readonly<Record<string, string>>)[status] ?? status
  return {
    separator,
    heading,
    cut: cutNotes[language],
    toCells: (
      { at, actor, action, from, to, detail, invoiceId, network, device, seq, hash },
      invoiceNumber,
    ) => [
      toLocalTime(at, language),
      nameActor(actor),
      labels[action] ?? action,
      invoiceNumber ?? '',
      nameStatus(from),
      nameStatus(to),
      keyNames.get(detail ?? '') ?? translateAuditDetail(action, detail ?? '', language),
      invoiceId ?? '',
      network ?? '',
      device ?? '',
      String(seq ?? ''),
      hash ?? '',
    ],
  }
}

const parts = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Africa/Casablanca',
  dateStyle: 'short',
  timeStyle: 'medium',
})

/** A form that the spreadsheet of the language takes as a date. */
function toLocalTime(at: string, language: SheetLanguage): string {
  const local = parts.format(new Date(at))
  if (language === 'en') return local
  return local.replace(/^(\d+)-(\d+)-(\d+)/, '$3/$2/$1')
}
