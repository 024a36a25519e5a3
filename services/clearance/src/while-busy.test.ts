import { createReader, startClearance } from './testdata/clearance-at-work'
import { signedEvent } from './testdata/signed'

it('invoices are sent one after another while creations keep the invoices service busy', async () => {
  const reader = createReader([], new Set())
  const atWork = await startClearance({
    invoices: {
      readSignedXml: async (request, call) => {
        return { ...(await reader.readSignedXml(request, call)), busy: true }
      },
    },
  })
  atWork.platform.decide = () => ({ status: 'PROCESSING' })
  const { submissions } = atWork.platform
  await atWork.bus.publish(signedEvent('first'))
  await atWork.until(() => submissions.size === 1)
  const sentAtMs = performance.now()
  for (let n = 0; n < 20; n += 1) await atWork.bus.publish(signedEvent(`later-${n}`))
  await atWork.until(() => submissions.size === 21)
  expect(performance.now() - sentAtMs).toBeGreaterThan(19 * 25)
  await atWork.close()
})
