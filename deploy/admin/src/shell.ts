import { userInfo } from 'node:os'

export interface Shell {
  environment: NodeJS.ProcessEnv
  /** Who runs the command, for the audit log. */
  operator: string
  /** Writes `text`, or `value` as one line of JSON where `--json` was given. */
  print(text: string, value: unknown): void
  note(text: string): void
}

export function createShell(
  environment: NodeJS.ProcessEnv,
  { isJson, operator }: { isJson: boolean; operator?: string | undefined },
): Shell {
  return {
    environment,
    operator: operator ?? environment['SUDO_USER'] ?? findUser(),
    print(text, value) {
      process.stdout.write(`${isJson ? JSON.stringify(value) : text}\n`)
    },
    note(text) {
      process.stderr.write(isJson ? `${JSON.stringify({ note: text })}\n` : `${text}\n`)
    },
  }
}

/** A container may run as a user that the system has no name for. */
function findUser(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
