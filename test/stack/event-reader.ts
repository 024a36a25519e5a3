/**
 * A reader of the dashboard's events (WHATWG HTML, section 9.2), as a browser is: comes back by
 * itself with the last id it heard, until it is closed.
 */

import type { Session } from './organization'

export interface HeardEvent {
  name: string
  id: string
  data: any
}

export class EventReader {
  readonly events: HeardEvent[] = []
  /** Comments, without their colon. */
  readonly comments: string[] = []
  /** How often it was answered. */
  answered = 0
  /** How often the service ended its answer; a connection that is cut does not count. */
  ended = 0
  lastEventId: string | undefined
  private isClosed = false
  private leaving = new AbortController()
  private readonly session: Session

  constructor(session: Session, lastEventId?: string) {
    this.session = session
    this.lastEventId = lastEventId
    void this.run()
  }

  /** As when the network is lost: it comes back. */
  lose(): void {
    this.leaving.abort()
  }

  close(): void {
    this.isClosed = true
    this.leaving.abort()
  }

  /** The last status received of each invoice, by id. */
  statuses(): Map<string, string> {
    const invoices = this.events.filter(({ name }) => name === 'invoice')
    return new Map(invoices.map(({ data }) => [data.invoiceId, data.status]))
  }

  private async run(): Promise<void> {
    while (!this.isClosed) {
      this.leaving = new AbortController()
      await this.listen().catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }

  private async listen(): Promise<void> {
    const answer = await fetch(`${this.session.baseUrl}/dashboard/api/events`, {
      signal: this.leaving.signal,
      headers: {
        Cookie: this.session.cookie,
        Accept: 'text/event-stream',
        ...(this.lastEventId !== undefined && { 'Last-Event-ID': this.lastEventId }),
      },
    })
    this.answered += 1
    if (answer.status !== 200 || !answer.body) throw new Error(`HTTP ${answer.status}`)
    let text = ''
    const decoder = new TextDecoder()
    const body = answer.body.getReader()
    for (let read = await body.read(); !read.done; read = await body.read()) {
      text += decoder.decode(read.value, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) this.take(block)
    }
    this.ended += 1
  }

  private take(block: string): void {
    const fields = block.split('\n').map((line) => /^([a-z]*): ?(.*)$/.exec(line) ?? [])
    const field = (wanted: string) => fields.find(([, name]) => name === wanted)?.[2]
    const comment = field('')
    if (comment !== undefined) this.comments.push(comment)
    this.lastEventId = field('id') ?? this.lastEventId
    const data = field('data')
    if (data === undefined) return
    this.events.push({
      name: field('event') ?? 'message',
      id: this.lastEventId ?? '',
      data: JSON.parse(data),
    })
  }
}
