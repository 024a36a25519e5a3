/** Of an ICE or a RIB: the last two digits make the number divisible by 97. */
export function hasCheckKey(digits: string): boolean {
  return /^\d+$/.test(digits) && BigInt(digits) % 97n === 0n
}

/** ISO 13616: the first four characters go to the end, and A is 10. */
export function hasIbanKey(iban: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z\d]+$/.test(iban)) return false
  const moved = iban.slice(4) + iban.slice(0, 4)
  const digits = moved.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return BigInt(digits) % 97n === 1n
}
