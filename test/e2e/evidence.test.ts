import { createHash } from 'node:crypto'
import { eventually } from '@einvoicing/servers/eventually'
import { requestJson, send, type Download } from '../stack/http'
import { onEveryOwnStack } from '../stack/on-every-stack'
import { newOrganization, type Organization } from '../stack/organization'
import { requireSimulator } from '../stack/stack'

const levels = ['T', 'LT', 'LTA'] as const
/** A minute for each time stamp, and the next revocation list. */
const withinMs = 120_000

onEveryOwnStack(
  'evidence',
  (stack) => {
    let organization: Organization
    beforeAll(async () => {
      organization = await newOrganization(stack())
    })

    const url = (id: string) => `${organization.invoices.url}/${id}/xml`
    const get = (id: string, level: string) =>
      send('GET', `${url(id)}?level=${level}`, { key: organization.key.key })
    const untilThere = (id: string, level: string) =>
      eventually(async () => {
        const answer = await get(id, level)
        if (answer.status !== 200) throw new Error(answer.bytes.toString())
        return answer
      }, withinMs)
    const verify = async ({ bytes: body }: Pick<Download, 'bytes'>) => {
      const headers = { 'Content-Type': 'application/xml' }
      const { key } = organization.key
      return (await requestJson('POST', `${stack().baseUrl}/v1/verify`, { key, headers, body }))
        .data
    }
    /** That of a stack someone else runs may be an hour away. */
    const isListNear = async () => {
      const { headers } = await send('GET', `${requireSimulator(stack())}/tsa/crl`)
      return Date.parse(headers.get('expires') ?? '') < Date.now() + withinMs / 2
    }
    const reached = ({ headers }: Download) => headers.get('x-signature-level')

    test('level T is available within a minute of signing', async () => {
      const { id } = await organization.invoices.created()
      const answer = await untilThere(id, 'T')
      expect(reached(answer)).toMatch(/^XAdES-B-(T|LT|LTA)$/)
      const { timeStampedAt, createdAt } = (await organization.invoices.read(id)).data
      expect(Date.parse(timeStampedAt) - Date.parse(createdAt)).toBeLessThan(60_000)
      const { valid, provenAt } = await verify(answer)
      expect({ valid, provenAt }).toEqual({ valid: true, provenAt: timeStampedAt })
    }, 150_000)

    test('is returned at each level; the original does not change', async () => {
      const made = await organization.invoices.created()
      const original = await organization.invoices.bytes(made.id, 'xml')
      if (!(await isListNear())) {
        expect((await get(made.id, 'LTA')).status).toBe(409)
        return
      }
      await untilThere(made.id, 'LTA')
      const { data } = await organization.invoices.read(made.id)
      expect(data.signatureLevel).toBe('XAdES-B-LTA')
      for (const level of levels) {
        const answer = await get(made.id, level)
        expect([answer.status, reached(answer)]).toEqual([200, 'XAdES-B-LTA'])
        const sha256 = createHash('sha256').update(answer.bytes).digest('hex')
        expect(answer.headers.get('etag')).toBe(`"${sha256}"`)
        const report = await verify(answer)
        expect(report).toMatchObject({ valid: true, level: 'XAdES-B-LTA' })
        expect(report.held).toMatchObject({ isHeld: true, sameBytes: false })
        expect(report.timeStamps.map(({ kind, ok }: any) => [kind, ok])).toEqual([
          ['SIGNATURE', true],
          ['ARCHIVE', true],
        ])
      }
      expect((await organization.invoices.bytes(made.id, 'xml')).equals(original)).toBe(true)
    }, 150_000)

    test('is 409 before it exists, and 404 for another organization', async () => {
      const draft = await organization.invoices.created({ draft: true })
      const { id } = await organization.invoices.created()
      await untilThere(id, 'T')
      const other = await newOrganization(stack())
      for (const level of levels) {
        const { key } = organization.key
        const early = await requestJson('GET', `${url(draft.id)}?level=${level}`, { key })
        expect([early.status, early.code]).toEqual([409, 'ARTEFACT_NOT_AVAILABLE'])
        const foreign = { key: other.key.key }
        const unknown = await requestJson('GET', `${url(id)}?level=${level}`, foreign)
        expect([unknown.status, unknown.code]).toEqual([404, 'INVOICE_NOT_FOUND'])
      }
    }, 150_000)

    test.each(['B', 'lta', '', 'T&level=LT'])(
      'of no level that there is (%s) is 400',
      async (level) => {
        const { id } = await organization.invoices.created()
        const { key } = organization.key
        const answer = await requestJson('GET', `${url(id)}?level=${level}`, { key })
        expect([answer.status, answer.code]).toEqual([400, 'VALIDATION_ERROR'])
        expect(answer.errors).toMatchObject([{ field: 'level' }])
      },
    )
  },
  { SANDBOX_CRL_SECONDS: '1' },
)
