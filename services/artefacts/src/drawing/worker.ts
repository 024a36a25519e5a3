import { move, workerData } from 'piscina'
import type { Environment } from '@einvoicing/domain/environment'
import type { Invoice } from '@einvoicing/proto/invoice'
import { drawInvoice } from '../pdf/draw-invoice'
import { drawQrPng } from '../qr/png'
import { openFaces } from '../text/fonts'
import { toBuffer } from './to-buffer'

export interface DrawingWorkerData {
  environment: Environment
}

export interface SignedInvoice {
  invoice: Invoice
  signedXml?: Uint8Array | undefined
  address?: string | undefined
}

export interface FinalInvoice extends SignedInvoice {
  qrCode: string | undefined
}

export interface FinalArtefacts {
  pdf: Uint8Array
  qr: Uint8Array | undefined
}

const faces = openFaces()
const { environment } = workerData as DrawingWorkerData

export async function drawPdf(signed: SignedInvoice): Promise<unknown> {
  return moveBytes(await drawSigned(signed))
}

export function drawQr(text: string): unknown {
  return moveBytes(drawQrPng(text))
}

export async function drawFinal({ qrCode, ...signed }: FinalInvoice): Promise<FinalArtefacts> {
  const pdf = new Uint8Array(await drawSigned(signed))
  return { pdf, qr: qrCode === undefined ? undefined : new Uint8Array(drawQrPng(qrCode)) }
}

function drawSigned({ invoice, signedXml, address }: SignedInvoice): Promise<Buffer> {
  const original = signedXml && toBuffer(signedXml)
  return drawInvoice(invoice, faces, { environment, signedXml: original, address })
}

// Transferred without a copy; copied first, because small Buffers share memory.
function moveBytes(bytes: Buffer): unknown {
  return move(new Uint8Array(bytes))
}
