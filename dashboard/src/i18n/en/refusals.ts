/** The service speaks English: its own sentence is the text. */

export const refusals = {
  byCode: {} as Readonly<Record<string, string>>,
  fault: (said: string): string => said,
  detail: 'What the service said',
  unknown: 'The service refused.',
  retryAfter: (seconds: number) => `Try again in ${seconds} s.`,
}
