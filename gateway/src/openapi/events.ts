/** The path of changes as they happen. */

import { limits } from '@einvoicing/domain/limits'
import { operation, type Parameter, type Paths } from './operation'
import { header } from './responses'
import { answers } from './samples'

const lastEventId: Parameter = {
  name: 'Last-Event-ID',
  in: 'header',
  description:
    'The last id heard, as a browser sends it by itself: what was missed within the hour is told first. Anything else begins anew.',
  schema: { type: 'string', examples: ['2026-05-03T09:30:00.000Z'] },
}

const { id: invoiceId, invoiceNumber, status, updatedAt } = answers.read.accepted
const change = { invoiceId, invoiceNumber, status, updatedAt }
const at = '2026-05-03T09:30:00.000Z'

const eventText = (name: string, id: string, data: object) =>
  `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`

export const eventPaths: Paths = {
  '/dashboard/api/events': {
    get: operation({
      id: 'listenToChanges',
      tag: 'Dashboard',
      summary: 'Changes of invoices as they happen, as server-sent events.',
      description: [
        'First `ready`, with `{at, resumed}`: read your lists after it; where `resumed` is true, what was missed is told next. Then `invoice` for each invoice that changed, with `InvoiceChange` as it is now. One may come twice.',
        `A comment comes every 15 seconds. A stream ends after 15 minutes, or with the session: come back with the last id. At most ${limits.eventStreams} streams an organization at one gateway, ${limits.eventStreamsOfMember} of them of one member.`,
      ].join(' '),
      caller: 'session',
      parameters: [lastEventId],
      answer: {
        responses: {
          200: {
            description: 'The stream, until it ends.',
            headers: header('X-Request-Id'),
            content: {
              'text/event-stream': {
                examples: {
                  stream: {
                    value: [
                      'retry: 3000\n\n',
                      eventText('ready', at, { at, resumed: false }),
                      eventText('invoice', updatedAt, change),
                    ].join(''),
                  },
                },
              },
            },
          },
        },
      },
      refusals: ['TOO_MANY_STREAMS', 'VALIDATION_ERROR'],
    }),
  },
}
