import type { Invoice } from '@einvoicing/proto/invoice'
import { packXml, toContent } from './documents'
import type { Writer } from './pending-work'
import type { AuditDocument, InvoiceDocument } from './schema'
import type { Write } from '../store'

/** Matches nothing for a write that names another organization. */
export function toFilter({ status, updatedAt }: Invoice, { invoice }: Write) {
  const version = { 'invoice.status': status, 'invoice.updatedAt': updatedAt }
  return { _id: invoice.id, organizationId: invoice.organizationId, ...version }
}

export async function newDocument(write: Write, writer: Writer): Promise<InvoiceDocument> {
  const { invoice, xml, event, work } = write
  const pending = writer.pending()
  return {
    _id: invoice.id,
    organizationId: invoice.organizationId,
    ...toContent(invoice),
    ...(xml && { xml: await packXml(xml), neverSent: true }),
    ...(event && { outgoing: Object.assign({}, pending, { facts: [event] }) }),
    ...(work && { unarchived: { [work]: pending } }),
    unaudited: Object.assign({}, pending, { entries: [auditDocument(write, pending.position)] }),
  }
}

function auditDocument({ invoice, audit }: Write, position: string): AuditDocument {
  return { _id: position, organizationId: invoice.organizationId, ...audit }
}

export async function toUpdate(write: Write, writer: Writer) {
  const { invoice, keepsLines, xml, event, work } = write
  const pending = writer.pending()
  const { position } = pending
  const { lines, ...content } = toContent(invoice)
  return {
    $set: {
      ...content,
      ...(!keepsLines && { lines }),
      ...(xml && { xml: await packXml(xml), neverSent: true }),
      ...(work && { [`unarchived.${work}`]: pending }),
      ...(event && { 'outgoing.position': position, 'outgoing.writer': pending.writer }),
      'unaudited.position': position,
      'unaudited.writer': pending.writer,
    },
    $push: {
      ...(event && { 'outgoing.facts': event }),
      'unaudited.entries': auditDocument(write, position),
    },
  }
}
