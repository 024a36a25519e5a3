/** The check digits of an ICE or a RIB make the number divisible by 97. */
export const hasWrongKey = (digits: string): boolean => BigInt(digits) % 97n !== 0n
