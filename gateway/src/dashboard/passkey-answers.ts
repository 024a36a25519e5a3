// As written by `PublicKeyCredential.toJSON`. Only verified fields are passed on.

import { limits } from '@einvoicing/domain/limits'
import { z } from 'zod'
import { boundedList } from '../fields/bounded-list'
import { filledText, text, toZodSchema } from '../fields/rules'

const encoded = toZodSchema<string>(filledText(limits.passkeyAnswerLength))
const type = toZodSchema<string>(filledText(32))

export const assertion = z
  .looseObject({
    id: encoded,
    rawId: encoded,
    type,
    response: z.looseObject({
      clientDataJSON: encoded,
      authenticatorData: encoded,
      signature: encoded,
      userHandle: toZodSchema<string>(text(limits.passkeyAnswerLength)).optional(),
    }),
  })
  .describe('The toJSON() of the credential that navigator.credentials.get returned.')

export const attestation = z
  .looseObject({
    id: encoded,
    rawId: encoded,
    type,
    response: z.looseObject({
      clientDataJSON: encoded,
      attestationObject: encoded,
      transports: boundedList(toZodSchema<string>(text(32)), 16).optional(),
    }),
  })
  .describe('The toJSON() of the credential that navigator.credentials.create returned.')

export function toAssertionText(answer: z.infer<typeof assertion>): string {
  const { clientDataJSON, authenticatorData, signature, userHandle } = answer.response
  const response = { clientDataJSON, authenticatorData, signature, userHandle }
  return toText(answer, response)
}

export function toAttestationText(answer: z.infer<typeof attestation>): string {
  const { clientDataJSON, attestationObject, transports } = answer.response
  return toText(answer, { clientDataJSON, attestationObject, transports })
}

function toText(
  { id, rawId, type: kind }: z.infer<typeof assertion | typeof attestation>,
  response: object,
) {
  return JSON.stringify({ id, rawId, type: kind, clientExtensionResults: {}, response })
}

const credential = { id: 'b64url-credential-id', rawId: 'b64url-credential-id', type: 'public-key' }

export const assertionExample = {
  ...credential,
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
    authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4',
    signature: 'MEUCIQDx',
    userHandle: 'YjhhMWY2ZGU',
  },
}

export const attestationExample = {
  ...credential,
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
    attestationObject: 'o2NmbXRkbm9uZQ',
    transports: ['internal'],
  },
}

// The browser's interface names and extends it.
export const webauthnOptions = z
  .looseObject({ challenge: z.string() })
  .describe('For PublicKeyCredential.parseCreationOptionsFromJSON or parseRequestOptionsFromJSON.')

export const passkeyOptionsAnswer = (options: z.infer<typeof webauthnOptions>) => ({
  name: 'PasskeyOptions',
  schema: webauthnOptions,
  examples: { options },
})

export const creationOptionsExample = {
  challenge: 'Zk3v0mJ8pYq2Wc7tLr5nXe1a',
  rp: { name: 'Electronic invoicing', id: 'invoices.example.com' },
}
export const requestOptionsExample = {
  challenge: 'Zk3v0mJ8pYq2Wc7tLr5nXe1a',
  rpId: 'invoices.example.com',
  userVerification: 'required',
}

export function readOptions(options: string): z.infer<typeof webauthnOptions> {
  return JSON.parse(options) as z.infer<typeof webauthnOptions>
}
