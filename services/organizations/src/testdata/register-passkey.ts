/** The answer of an authenticator to options of a registration (W3C, WebAuthn Level 3, 6.1). */

import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'

interface Options {
  rp: { id: string }
  challenge: string
}

export function registerPasskey(optionsJson: string, origin: string): string {
  const { rp, challenge } = JSON.parse(optionsJson) as Options
  const id = randomBytes(16)
  const presentVerifiedWithKey = 0x45
  const data = Buffer.concat([
    createHash('sha256').update(rp.id).digest(),
    Buffer.from([presentVerifiedWithKey]),
    Buffer.alloc(4 + 16),
    Buffer.from([0, id.length]),
    id,
    createCoseKey(),
  ])
  const attestation = Buffer.concat([
    Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'),
    Buffer.from([data.length >> 8, data.length & 0xff]),
    data,
  ])
  const client = JSON.stringify({ type: 'webauthn.create', challenge, origin, crossOrigin: false })
  const text = id.toString('base64url')
  const response = {
    clientDataJSON: Buffer.from(client).toString('base64url'),
    attestationObject: attestation.toString('base64url'),
    transports: ['internal'],
  }
  const credential = { id: text, rawId: text, type: 'public-key', clientExtensionResults: {} }
  return JSON.stringify({ ...credential, response })
}

function createCoseKey(): Buffer {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
}
