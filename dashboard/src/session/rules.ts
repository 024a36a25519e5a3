/** What the service asks of an account, so that it is told while typing. */

/** As `limits.passwordLengthMin`; a test compares. */
export const passwordLengthMin = 10

export const looksLikeEmail = (text: string): boolean =>
  /^\s*[^@\s]+@[^@\s]+\.[^@\s]+\s*$/.test(text)
