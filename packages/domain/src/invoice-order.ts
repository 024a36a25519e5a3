/** What a list of invoices may be sorted by. */
export const sortProperties = [
  'createdAt',
  'updatedAt',
  'invoiceDate',
  'dueDate',
  'invoiceNumber',
  'status',
  'buyerName',
  'amountHt',
  'amountVat',
  'amountTtc',
] as const

export const defaultSort = 'createdAt,desc'

export const sortOrders: readonly string[] = sortProperties.flatMap((property) => [
  `${property},asc`,
  `${property},desc`,
])
