import { ckf, loadCryptoki, type Cryptoki, type Handle } from '@einvoicing/signer/token/cryptoki'

/** What the signer never does with a token, and so does not name. */
interface Initializing extends Cryptoki {
  C_InitToken(slot: Handle, pin: string, label: string): string
  C_InitPIN(session: Handle, pin: string): void
  C_Logout(session: Handle): void
}

export interface NewToken {
  module: string
  label: string
  pin: string
}

const securityOfficer = 0
const labelLength = 32 // PKCS#11 2.40, section 3.2: padded with blanks

export async function initializeToken({ module, label, pin }: NewToken): Promise<void> {
  const cryptoki = (await loadCryptoki(module)) as Initializing
  try {
    const slots = cryptoki.C_GetSlotList(true)
    const readTokenInfo = (slot: Handle) => cryptoki.C_GetTokenInfo(slot)
    if (slots.some((slot) => readTokenInfo(slot).label.trim() === label)) return
    const free = slots.find((slot) => (readTokenInfo(slot).flags & ckf.tokenInitialized) === 0)
    if (!free) throw new Error(`PKCS11_MODULE ${module} has no free slot for a new token`)
    // The officer's PIN is the user's: anyone who has the files of this token has it all.
    cryptoki.C_InitToken(free, pin, label.padEnd(labelLength))
    const session = cryptoki.C_OpenSession(free, ckf.serialSession | ckf.rwSession)
    cryptoki.C_Login(session, securityOfficer, pin)
    cryptoki.C_InitPIN(session, pin)
    cryptoki.C_Logout(session)
    cryptoki.C_CloseSession(session)
  } finally {
    cryptoki.C_Finalize()
  }
}
