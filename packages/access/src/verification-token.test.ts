import { createHmac } from 'node:crypto'
import { tokenKeys } from './token-keys'
import { createVerificationToken, readVerificationToken } from './verification-token'

const secret = (letter: string) => letter.repeat(32)
const [first, second, third] = ['a', 'b', 'c'].map(secret) as [string, string, string]
const keys = tokenKeys([first])
const invoiceId = '0191f6a0-5b1c-7d2e-8f3a-4b5c6d7e8f90'
const token = createVerificationToken(invoiceId, keys)

it('is the id and ten bytes of its HMAC, in base64url', () => {
  const id = Buffer.from(invoiceId.replaceAll('-', ''), 'hex')
  const proof = createHmac('sha256', first).update(id).digest().subarray(0, 10)
  expect(token).toBe(Buffer.concat([id, proof]).toString('base64url'))
  expect(token).toMatch(/^[\w-]{35}$/)
  expect(readVerificationToken(token, keys)).toBe(invoiceId)
})

it('is made with the first secret and read with each', () => {
  for (const secrets of [
    [first, second, third],
    [third, second, first],
  ] as const) {
    expect(readVerificationToken(token, tokenKeys(secrets))).toBe(invoiceId)
  }
  expect(createVerificationToken(invoiceId, tokenKeys([second, first]))).not.toBe(token)
  expect(readVerificationToken(token, tokenKeys([second, third]))).toBeUndefined()
})

it('is not read with any character changed, left out or added', () => {
  const others = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  for (let at = 0; at < token.length; at += 1) {
    const before = token.slice(0, at)
    const after = token.slice(at + 1)
    for (const other of others) {
      if (other === token[at]) continue
      expect(readVerificationToken(before + other + after, keys)).toBeUndefined()
    }
    expect(readVerificationToken(before + after, keys)).toBeUndefined()
  }
  for (const wrong of [
    '',
    'a',
    `${token}=`,
    `${token}A`,
    ` ${token}`,
    `${token}\n`,
    'é'.repeat(35),
  ]) {
    expect(readVerificationToken(wrong, keys)).toBeUndefined()
  }
})
