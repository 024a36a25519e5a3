// All errors are reported together, in one `SettingsError`.

import { parseAddress, peerTarget, type Address } from './address'

export class SettingsError extends Error {
  override readonly name = 'SettingsError'

  readonly messages: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.messages = problems
  }
}

export class EnvReader {
  private readonly errors: string[] = []
  private readonly secrets = new Map<string, string>()
  private readonly env: NodeJS.ProcessEnv

  constructor(env: NodeJS.ProcessEnv) {
    this.env = env
  }

  text(name: string, fallback: string): string {
    return this.optionalText(name) ?? fallback
  }

  /** Absent and empty are the same: a setting is unset by emptying it. */
  optionalText(name: string): string | undefined {
    return this.env[name]?.trim() || undefined
  }

  secretFile(name: string): string | undefined {
    const file = this.optionalText(name)
    if (file !== undefined) this.secrets.set(name, file)
    return file
  }

  secretFolder(name: string): string | undefined {
    return this.optionalText(name)
  }

  get secretFiles(): ReadonlyMap<string, string> {
    return this.secrets
  }

  integer(name: string, fallback: number, bounds: { min: number; max: number }): number {
    const text = this.optionalText(name)
    if (text === undefined) return fallback
    const value = Number(text)
    if (/^-?\d+$/.test(text) && value >= bounds.min && value <= bounds.max) return value
    return this.addError(
      `${name} must be an integer from ${bounds.min} to ${bounds.max}, not "${text}"`,
      fallback,
    )
  }

  oneOf<T extends string>(name: string, allowed: readonly T[], fallback: T): T {
    const text = this.optionalText(name)
    if (text === undefined) return fallback
    const found = allowed.find((value) => value === text)
    return (
      found ??
      this.addError(`${name} must be one of ${allowed.join(', ')}, not "${text}"`, fallback)
    )
  }

  flag(name: string, fallback: boolean): boolean {
    const text = this.optionalText(name)?.toLowerCase()
    if (text === undefined) return fallback
    if (['1', 'true', 'yes', 'on'].includes(text)) return true
    if (['0', 'false', 'no', 'off'].includes(text)) return false
    return this.addError(`${name} must be true or false, not "${text}"`, fallback)
  }

  /** Not parsed by `URL`, which rejects lists of hosts (`mongodb://a:1,b:2`). */
  optionalUrl(name: string, protocols: readonly string[]): string | undefined {
    const text = this.optionalText(name)
    if (text === undefined) return undefined
    const [, protocol = ''] = /^([a-z][a-z0-9+.-]*):\/\/[^\s/?#]\S*$/i.exec(text) ?? []
    if (protocols.includes(protocol.toLowerCase())) return text.replace(/\/+$/, '')
    // The value is not logged: a URL may hold a password.
    const beginnings = protocols.map((known) => `${known}://`).join(' or ')
    this.addError(`${name} must be a URL that begins with ${beginnings}`, undefined)
    return undefined
  }

  address(name: string, fallback: string): Address {
    const text = this.text(name, fallback)
    return (
      parseAddress(text) ??
      this.addError(`${name} must be an address host:port, not "${text}"`, { host: '', port: 0 })
    )
  }

  optionalAddress(name: string): Address | undefined {
    return this.optionalText(name) === undefined ? undefined : this.address(name, '')
  }

  peer(name: string, fallback: string): string {
    const text = this.text(name, fallback)
    return (
      peerTarget(text) ??
      this.addError(
        `${name} must be host:port, or IPv4 addresses with ports and commas between, not "${text}"`,
        text,
      )
    )
  }

  addError<T>(message: string, fallback: T): T {
    this.errors.push(message)
    return fallback
  }

  throwErrors(): void {
    // Several packages may read the same setting and find the same error.
    if (this.errors.length > 0) throw new SettingsError([...new Set(this.errors)])
  }
}
