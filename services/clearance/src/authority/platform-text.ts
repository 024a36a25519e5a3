/** The text is stored, printed and drawn: too long or illegal text could never be corrected. */

/** In characters; `qrCodeBytes`: what a QR of error correction M holds (ISO/IEC 18004). */
export const textLimits = {
  reference: 200,
  qrCodeBytes: 2_331,
  qrPayload: 4_096,
  errorCode: 64,
  errorMessage: 1_000,
} as const

// Control characters, lone surrogates, and what XML 1.0 has no character for.
const illegal = /[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu

/** Makes an acceptance unusable, since it must not be altered: the platform is polled again. */
export function findUnusable(
  accepted: Record<'reference' | 'qrCode' | 'qrPayload', string>,
): string | undefined {
  const { reference, qrCode, qrPayload } = accepted
  const sizes: [name: string, size: number, max: number][] = [
    ['reference', reference.length, textLimits.reference],
    ['qrCode', Buffer.byteLength(qrCode), textLimits.qrCodeBytes],
    ['qrPayload', qrPayload.length, textLimits.qrPayload],
  ]
  const long = sizes.find(([, size, max]) => size > max)
  if (long)
    return `${long[0]} has ${long[1]} ${long[0] === 'qrCode' ? 'bytes' : 'characters'}, at most ${long[2]} can be used`
  const broken = Object.entries(accepted).find(([, text]) => text.search(illegal) >= 0)
  return broken && `${broken[0]} holds control characters`
}

/** For a rejection: the whole answer is in the audit log. */
export function tidy(text: string, max: number): string {
  const plain = text.replaceAll(illegal, ' ').trim()
  return plain.length <= max ? plain : `${plain.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
