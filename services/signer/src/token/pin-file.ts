import { readFile } from 'node:fs/promises'
import { TokenError } from './token-error'

/** Call at each login: the file may have been corrected. */
export async function readPin(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    const { code } = cause as NodeJS.ErrnoException
    throw new TokenError('wrong', `PKCS11_PIN_FILE ${file} cannot be read (${code})`, { cause })
  })
  const pin = text.trim()
  if (pin !== '') return pin
  throw new TokenError('wrong', `PKCS11_PIN_FILE ${file} is empty: write the user PIN into it`)
}
