/** PKCS#11 (OASIS 2.40), typed here because `pkcs11js` is optional. */

import { TokenError, isMissing } from './token-error'

/** Valid in the process of its session only. */
export type Handle = Buffer

export interface Attribute {
  type: number
  value?: number | boolean | string | Buffer
}

export interface Mechanism {
  mechanism: number
}

export interface Cryptoki {
  load(file: string): void
  C_Initialize(options: { flags: number }): void
  C_Finalize(): void
  C_GetSlotList(withToken: boolean): Handle[]
  C_GetTokenInfo(slot: Handle): { label: string; flags: number }
  C_OpenSession(slot: Handle, flags: number): Handle
  C_CloseSession(session: Handle): void
  C_Login(session: Handle, user: number, pin: string): void
  C_FindObjectsInit(session: Handle, template: Attribute[]): void
  C_FindObjects(session: Handle, max: number): Handle[]
  C_FindObjectsFinal(session: Handle): void
  C_GetAttributeValue(session: Handle, object: Handle, template: Attribute[]): { value: Buffer }[]
  C_CreateObject(session: Handle, template: Attribute[]): Handle
  C_DestroyObject(session: Handle, object: Handle): void
  C_GenerateKeyPairAsync(
    session: Handle,
    mechanism: Mechanism,
    publicTemplate: Attribute[],
    privateTemplate: Attribute[],
  ): Promise<unknown>
  C_SignInit(session: Handle, mechanism: Mechanism, key: Handle): void
  C_SignAsync(session: Handle, data: Buffer, signature: Buffer): Promise<Buffer>
}

export const cka = {
  class: 0x0,
  token: 0x1,
  private: 0x2,
  label: 0x3,
  value: 0x11,
  certificateType: 0x80,
  issuer: 0x81,
  serialNumber: 0x82,
  keyType: 0x100,
  subject: 0x101,
  id: 0x102,
  sensitive: 0x103,
  sign: 0x108,
  verify: 0x10a,
  modulus: 0x120,
  modulusBits: 0x121,
  publicExponent: 0x122,
  extractable: 0x162,
  ecParams: 0x180,
  ecPoint: 0x181,
} as const

export const cko = { certificate: 1, publicKey: 2, privateKey: 3 } as const

export const ckk = { rsa: 0, ec: 3 } as const

export const ckm = {
  rsaKeyPairGen: 0x0,
  rsaPkcs: 0x1,
  ecKeyPairGen: 0x1040,
  ecdsa: 0x1041,
} as const

export const ckf = {
  rwSession: 0x2,
  serialSession: 0x4,
  tokenInitialized: 0x400,
  userPinFinalTry: 0x20000,
  userPinLocked: 0x40000,
  osLockingOk: 0x2,
} as const

export const userType = 1
export const x509CertificateType = 0

const packageName: string = 'pkcs11js'

/** Not twice in a process, and never before a fork. */
export async function loadCryptoki(file: string): Promise<Cryptoki> {
  const cryptoki = new (await importPackage())()
  try {
    cryptoki.load(file)
  } catch (cause) {
    const reason = (cause as Error).message
    throw new TokenError('wrong', `PKCS11_MODULE ${file} cannot be loaded: ${reason}`, { cause })
  }
  cryptoki.C_Initialize({ flags: ckf.osLockingOk })
  return cryptoki
}

async function importPackage(): Promise<new () => Cryptoki> {
  try {
    const loaded = (await import(packageName)) as { default: { PKCS11: new () => Cryptoki } }
    return loaded.default.PKCS11
  } catch (cause) {
    throw new TokenError(
      'wrong',
      isMissing(cause)
        ? 'PKCS11_MODULE is set, but the package pkcs11js is not installed: install g++, make and python3, then run npm ci again'
        : `PKCS11_MODULE is set, but the package pkcs11js does not load: ${(cause as Error).message}; run npm rebuild pkcs11js`,
      { cause },
    )
  }
}
