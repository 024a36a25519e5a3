import { move, workerData } from 'piscina'
import type { Environment } from '@einvoicing/domain/environment'
import type { Invoice } from '@einvoicing/proto/invoice'
import { drawInvoice } from '../pdf/draw-invoice'
import { drawQrPng } from '../qr/png'
import { openFaces } from '../text/fonts'

export interface DrawingWorkerData {
  environment: Environment
}

export interface FinalInvoice {
  invoice: Invoice
  qrCode: string | undefined
}

export interface FinalArtefacts {
  pdf: Uint8Array
  qr: Uint8Array | undefined
}

const faces = openFaces()
const { environment } = workerData as DrawingWorkerData

export async function drawPdf(invoice: Invoice): Promise<unknown> {
  return moveBytes(await drawInvoice(invoice, faces, { environment }))
}

export function drawQr(text: string): unknown {
  return moveBytes(drawQrPng(text))
}

export async function drawFinal({ invoice, qrCode }: FinalInvoice): Promise<FinalArtefacts> {
  const pdf = new Uint8Array(await drawInvoice(invoice, faces, { environment }))
  return { pdf, qr: qrCode === undefined ? undefined : new Uint8Array(drawQrPng(qrCode)) }
}

// Moved to the other thread without a copy; copied first, because small Buffers share memory.
function moveBytes(bytes: Buffer): unknown {
  return move(new Uint8Array(bytes))
}
