import { invoiceStatuses } from '@einvoicing/domain/invoice-status'
import { invoiceTypes } from '@einvoicing/domain/invoice-types'
import { signatureLevelNames } from '@einvoicing/domain/signature-level'
import { checkNames } from '@einvoicing/verification/verify/signature'
import { z } from 'zod'
import { date, textOneOf, time } from '../fields/answer-fields'

const text = z.string()
const problem = text.describe('The problem, in one sentence.')
const sha256 = text.meta({ pattern: '^[0-9a-f]{64}$' })

export const verificationSchema = z.object({
  valid: z.boolean().describe('Every check passes.'),
  level: textOneOf(signatureLevelNames)
    .nullable()
    .describe('The level of the signature, read from its structure.'),
  checks: z
    .array(
      z.object({
        name: textOneOf(checkNames),
        ok: z.boolean(),
        fault: problem.nullable(),
      }),
    )
    .describe('In the order of the checks; one timeStamp entry per time stamp.'),
  notChecked: z
    .array(textOneOf(checkNames))
    .describe(
      'Checks that were skipped: the document has no such part, or an earlier check failed.',
    ),
  signer: z
    .object({
      subject: text,
      issuer: text,
      serialNumber: text,
      validFrom: time,
      validTo: time,
      fingerprint: text.describe('SHA-256 of the certificate, hexadecimal with colons.'),
      trusted: z
        .boolean()
        .nullable()
        .describe('null: this service has no list of trusted authorities.'),
    })
    .nullable(),
  signingTime: time.nullable().describe('The time that the signer states.'),
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
    .describe('A trusted time stamp proves that the signature existed at this time.'),
  standsUntil: time
    .nullable()
    .describe('The document can be verified until this time; null if a check fails.'),
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
    .describe('Read from the signed bytes; null if the check document fails.'),
  held: z
    .object({
      isHeld: z.boolean(),
      sameBytes: z.boolean().describe('The file is the original, byte for byte.'),
      sha256: sha256.nullable().describe('SHA-256 of the original.'),
      status: textOneOf(invoiceStatuses).nullable(),
      dgiReference: text.nullable(),
      creditedTtc: z
        .number()
        .nullable()
        .describe('Amount credited by credit notes, including VAT.'),
    })
    .nullable()
    .describe(
      'The state of the document in this service; null unless this service proves to be the signer.',
    ),
})
