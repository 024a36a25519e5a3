/**
 * An authenticator of WebAuthn in software (W3C, Web Authentication Level 3, sections 6.1 and
 * 6.5.4), so that attacks on its answers can be tried on every stack.
 */

import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export interface Forgery {
  origin?: string
  rpId?: string
  /** 1: present, 4: verified. */
  flags?: number
  counter?: number
  challenge?: string
}

const presentAndVerified = 0x05
const withKey = 0x40

export class Passkey {
  readonly id = randomBytes(16).toString('base64url')
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  private readonly origin: string
  private counter = 0
  private userHandle = ''

  constructor(origin: string) {
    this.origin = origin
  }

  /** The answer to options of a registration. */
  register(options: any, forged: Forgery = {}) {
    this.userHandle = options.user.id
    const id = Buffer.from(this.id, 'base64url')
    const length = Buffer.from([0, id.length])
    const credential = Buffer.concat([Buffer.alloc(16), length, id, this.coseKey()])
    const flags = (forged.flags ?? presentAndVerified) | withKey
    const data = Buffer.concat([this.header(options.rp.id, { ...forged, flags }), credential])
    const attestationObject = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'),
      Buffer.from([data.length >> 8, data.length & 0xff]),
      data,
    ])
    const client = this.clientData('webauthn.create', options.challenge, forged)
    return this.answer({
      clientDataJSON: client.toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    })
  }

  /** The answer to options of an authentication. */
  authenticate(options: any, forged: Forgery = {}) {
    this.counter += 1
    const data = this.header(options.rpId, forged)
    const client = this.clientData('webauthn.get', options.challenge, forged)
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
    return this.answer({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, this.keys.privateKey).toString('base64url'),
      userHandle: this.userHandle,
    })
  }

  private answer(response: object) {
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response }
  }

  private header(rpId: string, forged: Forgery): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(forged.counter ?? this.counter)
    const hash = createHash('sha256')
      .update(forged.rpId ?? rpId)
      .digest()
    return Buffer.concat([hash, Buffer.from([forged.flags ?? presentAndVerified]), counter])
  }

  private clientData(type: string, challenge: string, forged: Forgery): Buffer {
    const data = { type, challenge, origin: this.origin, crossOrigin: false, ...pick(forged) }
    return Buffer.from(JSON.stringify(data))
  }

  private coseKey(): Buffer {
    const { x = '', y = '' } = this.keys.publicKey.export({ format: 'jwk' })
    return Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ])
  }
}

function pick({ origin, challenge }: Forgery) {
  return { ...(origin && { origin }), ...(challenge && { challenge }) }
}
