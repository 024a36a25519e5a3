import { auditActionLabels } from '@einvoicing/domain/audit-actions'

export const audit = {
  title: 'Audit log',
  lead: 'Who did what, and when. Entries cannot be edited or deleted.',
  csv: 'Export as CSV',
  filters: 'Filters',
  at: 'Date',
  actor: 'User',
  action: 'Action',
  change: 'Status change',
  detail: 'Details',
  invoice: 'Invoice',
  anyAction: 'All actions',
  anyActor: 'Everyone',
  peopleOnly: 'People only',
  keysOnly: 'API keys only',
  servicesOnly: 'Service only',
  invoiceNumber: 'Invoice number',
  noSuchInvoice: 'No invoice has this number.',
  from: 'From',
  to: 'To',
  clear: 'Clear filters',
  none: 'No entries',
  noneHint: 'No entries match these filters.',
  actors: { user: 'User', 'api-key': 'API key', service: 'Service' } as Readonly<
    Record<string, string>
  >,
  groups: {
    'invoice.': 'Invoices',
    'api-key.': 'API keys',
    'organization.': 'Organization',
    'mentions.': 'Legal details',
    'member.': 'Members',
    'password.': 'Passwords',
    'user.': 'Sign-ins',
  },
  actions: auditActionLabels('en'),
}
