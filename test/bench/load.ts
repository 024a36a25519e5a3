import { startOpenLoop, type OpenLoop } from '../stack/open-loop'

export interface Measured {
  perSecond: number
  p50Ms: number
  p99Ms: number
  p999Ms: number
  /** Of what was offered: refused with 503 and Retry-After. */
  refusedShare: number
}

export interface Load {
  connections: number
  lines: number
}

export const usualLoad: Load = { connections: 32, lines: 10 }
const patienceMs = 30_000

/** Creations as fast as so many connections allow, or at a rate that does not wait for answers. */
export async function createInvoices(
  target: { url: string; key?: string },
  { connections, lines }: Load,
  seconds: number,
  perSecond?: number,
): Promise<Measured> {
  const loop = await startOpenLoop({ url: target.url, key: target.key ?? '', connections, lines })
  try {
    return await run(
      loop,
      perSecond === undefined ? { atOnce: connections } : { perSecond },
      seconds,
    )
  } finally {
    loop.close()
  }
}

/** Throws when anything but 201 and 503 was answered: a figure made of errors is no figure. */
async function run(
  loop: OpenLoop,
  how: { atOnce: number } | { perSecond: number },
  seconds: number,
): Promise<Measured> {
  const found = await loop.run({ ...how, seconds, patienceMs })
  const { offered, refused, other, late } = found
  if (other > 0 || late > 0) throw new Error(`no figure: ${JSON.stringify(found)}`)
  return {
    perSecond: found.goodPerSecond,
    p50Ms: found.goodP50Ms,
    p99Ms: found.goodP99Ms,
    p999Ms: found.goodP999Ms,
    refusedShare: refused / offered,
  }
}
