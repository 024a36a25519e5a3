/** `JSON.parse` reads some 15 digits; quantities and prices have up to 22. */

/** A text where a number would lose digits. */
export type Exactly = number | string

// A text, and the number after it if it is a name; not one with an exponent.
const textOrMember = /("(?:[^"\\]+|\\.)*")(?:\s*:\s*(-?\d[\d.]*)(?![\d.eE]))?/g
const exactNames = ['"quantity"', '"unitPrice"']
const safeDigits = 15

/** Quantities and prices of more than 15 digits stay texts. */
export function parseAnswer(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (!/\d[\d.]{15}/.test(text)) return value
  return JSON.parse(
    text.replace(textOrMember, (member: string, name: string, literal?: string) => {
      const isLong = literal !== undefined && literal.replace(/\D/g, '').length > safeDigits
      if (!isLong || !exactNames.includes(name)) return member
      return `${name}:"${literal}"`
    }),
  )
}
