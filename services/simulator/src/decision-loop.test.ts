import { startPlatform } from './testdata/start-platform'

type Json = Record<string, unknown>
const json = async (answer: Response): Promise<Json> => (await answer.json()) as Json

it('examines several at once and decides them in the order of their arrival', async () => {
  const finish: (() => void)[] = []
  const invoice = { number: 'F-SAME', issueDate: '2030-01-01', issuerIce: '001234567000089' }
  const valid = {
    ...invoice,
    typeCode: '380' as const,
    preceding: [],
    bases: {},
    issuerName: undefined,
    buyerIce: undefined,
    currency: 'MAD',
    amountTtc: '120.00',
  }
  const parallel = await startPlatform({
    examine: () =>
      new Promise((resolve) => finish.push(() => resolve({ kind: 'valid', invoice: valid }))),
  })
  await parallel.behave({ latencyMs: 0 })
  const ids: string[] = []
  for (let i = 0; i < 9; i += 1) {
    ids.push((await json(await parallel.post(`${i}`, `<x n="${i}"/>`)))['submissionId'] as string)
  }
  expect(finish).toHaveLength(8)
  const settled = async (id: string): Promise<Json> => {
    const submission = await parallel.read(id)
    return submission['status'] === 'PROCESSING' ? settled(id) : submission
  }
  finish.slice(1).forEach((decide) => decide())
  expect(await parallel.read(ids[1] as string)).toMatchObject({ status: 'PROCESSING' })
  finish[0]?.()
  expect(await settled(ids[0] as string)).toMatchObject({ status: 'ACCEPTED' })
  expect(await settled(ids[7] as string)).toMatchObject({ errorCode: 'DUPLICATE_INVOICE' })
  finish[8]?.()
  expect(await settled(ids[8] as string)).toMatchObject({ errorCode: 'DUPLICATE_INVOICE' })
  await parallel.stop()
})
