import { invoiceStatuses } from '@einvoicing/domain/invoice-status'
import { invoiceTypes } from '@einvoicing/domain/invoice-types'
import { signatureLevelNames } from '@einvoicing/domain/signature-level'
import { checkNames } from '@einvoicing/verification/verify/report'
import { z } from 'zod'
import { date, textOneOf, time } from '../fields/answer-fields'

const text = z.string()
const problem = text.describe('What is wrong, in one sentence.')
const sha256 = text.meta({ pattern: '^[0-9a-f]{64}$' })

export const verificationSchema = z.object({
  valid: z.boolean().describe('Every check passes.'),
  level: textOneOf(signatureLevelNames)
    .nullable()
    .describe('What the signature holds, by its structure.'),
  checks: z
    .array(
      z.object({
        name: textOneOf(checkNames),
        ok: z.boolean(),
        fault: problem.nullable(),
      }),
    )
    .describe('In the order in which they were made; one timeStamp for each.'),
  notChecked: z
    .array(textOneOf(checkNames))
    .describe('What the document has no part for, or what an earlier failure made impossible.'),
  signer: z
    .object({
      subject: text,
      issuer: text,
      serialNumber: text,
      validFrom: time,
      validTo: time,
      fingerprint: text.describe('SHA-256 of the certificate, hexadecimal with colons.'),
      trusted: z.boolean().nullable().describe('null: this service trusts no authority by name.'),
    })
    .nullable(),
  signingTime: time.nullable().describe('As the signer states it.'),
  timeStamps: z.array(
    z.object({
      kind: textOneOf(['SIGNATURE', 'ARCHIVE']),
      time: time.nullable(),
      authority: text.nullable(),
      trusted: z.boolean().nullable(),
      ok: z.boolean(),
    }),
  ),
  provenAt: time
    .nullable()
    .describe('The signature existed by then, as a trusted time stamp proves.'),
  standsUntil: time
    .nullable()
    .describe('Until then the document can be verified; null where a check fails.'),
  invoice: z
    .object({
      type: textOneOf(invoiceTypes).nullable(),
      invoiceNumber: text.nullable(),
      invoiceDate: date.nullable(),
      issuerIce: text.nullable(),
      buyerName: text.nullable(),
      currency: text.nullable(),
      amountHt: z.number().nullable(),
      amountVat: z.number().nullable(),
      amountTtc: z.number().nullable(),
    })
    .nullable()
    .describe('Read from the bytes that were digested; null where the check document fails.'),
  held: z
    .object({
      isHeld: z.boolean(),
      sameBytes: z.boolean().describe('The file is the original, byte for byte.'),
      sha256: sha256.nullable().describe('Of the original.'),
      status: textOneOf(invoiceStatuses).nullable(),
      dgiReference: text.nullable(),
      creditedTtc: z.number().nullable().describe('What credit notes took of it, including VAT.'),
    })
    .nullable()
    .describe('What became of it here; only where the signature is proven to be of this service.'),
})
