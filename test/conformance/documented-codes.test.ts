import { checkDocumented } from '../stack/documented-codes'

const url = 'http://127.0.0.1/v1/invoices/019a0000-0000-7000-8000-000000000000'
const check = (code: string) => checkDocumented('GET', url, { status: 404, code })

it('an error that OpenAPI does not have for its operation and status is found', async () => {
  await check('INVOICE_NOT_FOUND')
  await expect(check('OTHER')).rejects.toThrow('does not document 404 OTHER')
})
