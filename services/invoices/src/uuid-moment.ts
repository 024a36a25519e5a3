/** A UUID v7 begins with its milliseconds (RFC 9562, section 5.7); `undefined` of another UUID. */
export function readUuidMoment(uuid: string): string | undefined {
  const [, high, low] = /^([\da-f]{8})-([\da-f]{4})-7/.exec(uuid) ?? []
  return high && low ? new Date(parseInt(high + low, 16)).toISOString() : undefined
}
