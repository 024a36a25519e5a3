// Both have check digits modulo 97.

/** 24 digits, the last two are the check digits. */
export function hasRibKey(rib: string): boolean {
  return /^\d{24}$/.test(rib) && BigInt(rib) % 97n === 0n
}

/** ISO 13616: the first four characters go to the end, and A is 10. */
export function hasIbanKey(iban: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z\d]+$/.test(iban)) return false
  const moved = iban.slice(4) + iban.slice(0, 4)
  const digits = moved.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return BigInt(digits) % 97n === 1n
}

export function toIban(rib: string): string {
  const rest = Number(BigInt(`${rib}221000`) % 97n) // MA00, as in `hasIbanKey`
  return `MA${String(98 - rest).padStart(2, '0')}${rib}`
}
