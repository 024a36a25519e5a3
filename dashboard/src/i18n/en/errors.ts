export const errors = {
  byCode: {} as Readonly<Record<string, string>>,
  translateFieldError: (message: string): string => message,
  detail: 'Message from the service',
  unknown: 'The request was rejected.',
  retryAfter: (seconds: number) => `Try again in ${seconds} seconds.`,
}
