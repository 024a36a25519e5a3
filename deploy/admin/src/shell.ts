export interface Shell {
  environment: NodeJS.ProcessEnv
  /** Writes `text`, or `value` as one line of JSON where `--json` was given. */
  print(text: string, value: unknown): void
  /** For people, on standard error. */
  note(text: string): void
}

export function createShell(environment: NodeJS.ProcessEnv, isJson: boolean): Shell {
  return {
    environment,
    print(text, value) {
      process.stdout.write(`${isJson ? JSON.stringify(value) : text}\n`)
    },
    note(text) {
      process.stderr.write(isJson ? `${JSON.stringify({ note: text })}\n` : `${text}\n`)
    },
  }
}
