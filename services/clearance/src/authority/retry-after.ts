/** RFC 9110, section 10.2.3: seconds or an HTTP date. In milliseconds; `undefined` for neither. */

/** A mistake of the platform or of a proxy must not stop clearance for hours. */
export const retryAfterMaxMs = 15 * 60 * 1000

const deltaSeconds = /^\d{1,9}$/
const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .+/

export function readRetryAfter(value: string | undefined, now: Date): number | undefined {
  const text = value?.trim() ?? ''
  if (deltaSeconds.test(text)) return Math.min(Number(text) * 1000, retryAfterMaxMs)
  // Of the three forms only asctime's does not state UTC.
  const utc = text.endsWith('GMT') ? text : `${text} GMT`
  const moment = httpDate.test(text) ? Date.parse(utc) : NaN
  if (Number.isNaN(moment)) return undefined
  return Math.min(Math.max(0, moment - now.getTime()), retryAfterMaxMs)
}
