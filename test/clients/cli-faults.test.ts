import { anInvoice, newNumber } from '../stack/invoices'
import { onOneStack } from '../stack/on-every-stack'
import { newOrganization, type Organization } from '../stack/organization'
import { einvoicing } from './command-line'
import { openFaultyFront, type Failure, type FaultyFront } from './faulty-front'

const neverDecided = '000000000000202'
const apiError = { code: 'API_KEY_INVALID', message: 'no', data: null, errors: null }
const revoked: Failure = { status: 401, body: JSON.stringify(apiError) }

onOneStack('the command line behind a faulty front', (stack) => {
  let organization: Organization
  let front: FaultyFront
  beforeAll(async () => {
    organization = await newOrganization(stack())
    front = await openFaultyFront(stack().baseUrl)
  })
  afterAll(() => front.close())

  /** The one JSON document on standard output, of a command that the key's end stops. */
  const endWith = async (args: string[], input = '') => {
    const env = { EINVOICING_URL: front.baseUrl, EINVOICING_API_KEY: organization.key.key }
    const ran = await einvoicing(['--json', ...args], { env, input })
    expect([ran.code, JSON.parse(ran.errors).error.code]).toEqual([1, 'API_KEY_INVALID'])
    return JSON.parse(ran.output)
  }

  test('a command whose reader has ended does not pass for one that succeeded', async () => {
    const env = { EINVOICING_URL: front.baseUrl, EINVOICING_API_KEY: organization.key.key }
    const invoice = anInvoice({ buyerIce: '000000000000101' })
    const input = JSON.stringify(invoice)
    const ran = await einvoicing(['create', '-', '--wait'], { env, input, endsReading: true })
    expect(ran).toMatchObject({ code: 141, output: '' })
  })

  test('create --wait: the created invoice', async () => {
    const invoice = anInvoice({ buyerIce: neverDecided })
    const { invoiceNumber } = invoice
    front.plan('none', revoked)
    const created = await endWith(['create', '-', '--wait'], JSON.stringify(invoice))
    expect(created).toMatchObject({ id: expect.any(String), invoiceNumber, status: 'SIGNED' })
  })

  test('sign and credit-note --wait: the invoice', async () => {
    const { id, invoiceNumber } = await organization.invoices.created({ draft: true })
    front.plan('none', revoked)
    expect(await endWith(['sign', id, '--wait'])).toMatchObject({ id, invoiceNumber })
    const number = newNumber('AV')
    front.plan('none', revoked)
    const args = ['credit-note', id, '--number', number, '--reason', 'Retour', '--wait']
    expect(await endWith(args)).toMatchObject({ invoiceNumber: number, status: 'SIGNED' })
  })

  test('resubmit --wait: the decision, or else the invoice', async () => {
    const { id, invoiceNumber } = await organization.invoices.created()
    const data = { ...(await organization.invoices.decided(id)), status: 'SIGNED' }
    const envelope = { code: 'OK', message: 'OK', data, errors: null }
    const resubmitted: Failure = { status: 200, body: JSON.stringify(envelope) }
    const env = { EINVOICING_URL: front.baseUrl, EINVOICING_API_KEY: organization.key.key }
    front.plan(resubmitted)
    const ran = await einvoicing(['resubmit', id, '--wait'], { env })
    expect([ran.code, ran.errors]).toEqual([0, ''])
    expect(ran.output).toMatch(new RegExp(`^${invoiceNumber} SIGNED\nACCEPTED\nreference  `))
    expect(front.seen[0]).toMatchObject({ method: 'POST', path: `/v1/invoices/${id}/resubmit` })
    front.plan(resubmitted, revoked)
    expect(await endWith(['resubmit', id, '--wait'])).toEqual(data)
  })

  test('status --wait: the decision, when the invoice cannot be read after it', async () => {
    const { id } = await organization.invoices.created()
    await organization.invoices.decided(id)
    front.plan('none', revoked)
    expect(await endWith(['status', id, '--wait'])).toMatchObject({ id, status: 'ACCEPTED' })
    front.plan(revoked)
    const env = { EINVOICING_URL: front.baseUrl, EINVOICING_API_KEY: organization.key.key }
    expect((await einvoicing(['--json', 'status', id, '--wait'], { env })).output).toBe('')
  })
})
