/** Files made to hurt a verifier, and clients that keep posting them. */

import { send } from './http'

/** Of a signed original. */
export function makeBombs(xml: string): Record<string, Buffer> {
  const inside = (text: string) => Buffer.from(xml.replace('</Invoice>', () => `${text}</Invoice>`))
  const many = (count: number, make: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => make(index)).join('')
  const signature = /<ds:Signature .*<\/ds:Signature>/s.exec(xml)?.[0] ?? ''
  return {
    nested: inside('<a>'.repeat(100_000) + '</a>'.repeat(100_000)),
    attributes: inside(`<a ${many(50_000, (index) => `b${index}="" `)}/>`),
    namespaces: inside(many(5_000, (index) => `<a xmlns:n${index}="u"/>`)),
    entities: Buffer.from(`<!DOCTYPE a [<!ENTITY b "c">]>${xml}`),
    signatures: inside(signature.repeat(100)),
    ids: inside('<a xmlns="u" Id="signed-properties"/>'),
    wrapped: Buffer.from(`<a>${xml.replace(/^<\?xml[^>]*>/, '')}</a>`),
    // Passes every count, and so costs a parser, the canonical form and a digest.
    elements: inside('<a><b>c</b></a>'.repeat(150_000)),
    long: inside(`<a>${'b'.repeat(6_000_000)}</a>`),
  }
}

export interface Bombing {
  answers: { status: number; retryAfter: string | null; text: string }[]
}

/** Each client posts one bomb after another until `over`. */
export async function postBombs(
  { url, key, clients }: { url: string; key: string; clients: number },
  bombs: Record<string, Buffer>,
  over: () => boolean,
): Promise<Bombing> {
  const answers: Bombing['answers'] = []
  const each = Object.values(bombs)
  const headers = { 'Content-Type': 'application/xml' }
  const run = async (client: number) => {
    for (let count = client; !over(); count += 1) {
      const options = { key, headers, body: each[count % each.length] }
      const answer = await send('POST', `${url}/v1/verify`, options)
      const retryAfter = answer.headers.get('retry-after')
      answers.push({ status: answer.status, retryAfter, text: answer.bytes.toString() })
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => run(client)))
  return { answers }
}
