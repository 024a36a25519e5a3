import type { Invoice } from '@einvoicing/proto/invoice'
import { v7 as uuidV7 } from 'uuid'
import { packXml, toContent } from './documents'
import type { Writer } from './writer'
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
    unaudited: Object.assign({}, pending, { entries: auditDocuments(write, pending.position) }),
  }
}

function auditDocuments(write: Write, position: string): AuditDocument[] {
  const { organizationId } = write.invoice
  const later = (write.laterAudit ?? []).map((audit) => ({ _id: uuidV7(), audit }))
  const all = [{ _id: position, audit: write.audit }, ...later]
  return all.map(({ _id, audit }) => Object.assign({ _id, organizationId }, audit))
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
      'unaudited.entries': { $each: auditDocuments(write, position) },
    },
  }
}
