import type { DocumentKind } from '@einvoicing/profile/document-kinds'
import type { Invoice, Period } from '@einvoicing/proto/invoice'
import { frenchDate } from '../french/format'

export function printedPreceding(invoice: Invoice, { french }: DocumentKind): [string, string][] {
  return (invoice.precedingInvoices?.items ?? []).map(({ invoiceNumber = '', invoiceDate }) => {
    const date = invoiceDate === undefined ? '' : `\ndu ${frenchDate(invoiceDate)}`
    return [french.preceding, `N° ${invoiceNumber}${date}`]
  })
}

export function printedReferences(invoice: Invoice): [string, string][] {
  const place = [invoice.deliveryAddress, invoice.deliveryCountry].filter(Boolean).join(', ')
  const rows: [string, string | undefined][] = [
    ['Votre référence', invoice.buyerReference],
    ['N° de commande', invoice.purchaseOrderNumber],
    ['N° de marché', invoice.contractNumber],
    ['Bon de livraison', invoice.deliveryNoteNumber],
    ['Période', printedPeriod(invoice.servicePeriod)?.replace(' au ', '\nau ')],
    ['Date de livraison', invoice.deliveryDate && frenchDate(invoice.deliveryDate)],
    ['Lieu de livraison', place],
    ['Conditions', invoice.paymentTerms],
    ['Réf. de paiement', invoice.paymentReference],
  ]
  return rows.filter((row): row is [string, string] => Boolean(row[1]))
}

export function printedPeriod(period: Period | undefined): string | undefined {
  const [from, to] = [period?.from, period?.to].map((day) => day && frenchDate(day))
  if (from && to) return `du ${from} au ${to}`
  return from ? `à partir du ${from}` : to && `jusqu’au ${to}`
}
