import { fileName } from './routes'

it.each([
  ['F-2026/001', 'F-2026-001.pdf'],
  ['../../etc/passwd', '-..-etc-passwd.pdf'],
  ['a\r\nSet-Cookie: x', 'a--Set-Cookie- x.pdf'],
  ['...', 'invoice.pdf'],
  ['فاتورة 1', 'فاتورة 1.pdf'],
])('the file of %j is %j', (invoiceNumber, name) => {
  expect(fileName({ invoiceNumber }, 'pdf')).toBe(name)
})
