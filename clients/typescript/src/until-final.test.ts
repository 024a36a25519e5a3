import { EinvoicingError } from './errors'
import { pause } from './patience'
import type { InvoiceStatus } from './schemas'
import { pollUntilFinal } from './until-final'

const transmitted = { status: 'TRANSMITTED' } as InvoiceStatus
const lost = new EinvoicingError('CONNECTION_LOST', 'Lost.')

function pollAfter(...answers: Array<InvoiceStatus | EinvoicingError>) {
  const giveUpAt = Date.now() + 700
  const read = async () => {
    const answer = answers.shift()
    if (answer && !(answer instanceof Error)) return answer
    if (answer) throw answer
    await pause(giveUpAt - Date.now())
    throw new EinvoicingError('TIMED_OUT', 'No complete response within 4 ms.')
  }
  return pollUntilFinal(read, { giveUpAt })
}

describe('when the waiting time ends', () => {
  it.each([
    [
      'a read that it cut short is not named as a failure',
      [transmitted],
      'The invoice is still TRANSMITTED: no decision',
    ],
    [
      'what failed before that read is',
      [transmitted, lost],
      'The invoice is still TRANSMITTED (Lost.): no decision',
    ],
    [
      'a read that it cut short is named if no other succeeded',
      [],
      'The invoice could not be read (No complete response within 4 ms.): no decision',
    ],
  ])('%s', async (_, answers, beginning) => {
    await expect(pollAfter(...answers)).rejects.toThrow(beginning)
  })

  it.each([[transmitted], [transmitted, lost], [lost]])(
    'the same call may succeed later, whatever came last (%#)',
    async (...answers) => {
      const notFinal = { code: 'NOT_FINAL', isTemporary: true }
      await expect(pollAfter(...answers)).rejects.toMatchObject(notFinal)
    },
  )
})
