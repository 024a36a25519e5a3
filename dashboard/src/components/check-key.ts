/** Of an ICE or a RIB: a right check key makes the whole number divisible by 97. */
export const hasWrongKey = (digits: string): boolean => BigInt(digits) % 97n !== 0n
