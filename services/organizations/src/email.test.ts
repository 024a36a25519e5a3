import { findEmailError, normaliseEmail } from './email'

it.each([
  'a@example.com',
  "first.last+tag'o@sub.example.co",
  `${'a'.repeat(64)}@example.com`,
  `a@${'b'.repeat(63)}.ma`,
  '1@1.1',
])('%s is an email address', (email) => {
  expect(findEmailError(email)).toBeUndefined()
})

it.each([
  'anonymous',
  'a@b',
  '@example.com',
  'a@',
  'a@@example.com',
  'a b@example.com',
  'a@exa mple.com',
  'a@-example.com',
  'a@example-.com',
  'a@example..com',
  'a@.com',
  'a@example.com.',
  'a@example.com\n',
  'a\u0000@example.com',
  '<a@example.com>',
  `${'a'.repeat(65)}@example.com`,
  `a@${'b'.repeat(64)}.ma`,
])('%j is not an email address', (email) => {
  expect(findEmailError(email)).toMatch(/must be an email address/)
})

it('may have 254 characters and not one more', () => {
  const long = (length: number) => `a@${'b.'.repeat(126)}`.slice(0, length - 2) + 'ma'
  expect(long(254)).toHaveLength(254)
  expect(findEmailError(long(254))).toBeUndefined()
  expect(findEmailError(`a${long(254)}`)).toBe('must have at most 254 characters')
})

it('must not be blank', () => {
  expect(findEmailError('')).toBe('must not be blank')
})

it('ignores case and blanks at the ends', () => {
  expect(normaliseEmail('  Name@Example.COM ')).toBe('name@example.com')
})
