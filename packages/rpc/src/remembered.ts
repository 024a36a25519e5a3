/** Each value until its end; of more than `max` the longest unused are forgotten. */
export class Remembered<T> {
  private readonly values = new Map<string, { value: T; fromMs: number; untilMs: number }>()
  private readonly max: number

  constructor(max: number) {
    this.max = max
  }

  /** `undefined` outside its time, also when the clock was set back to before it. */
  find(name: string): T | undefined {
    const found = this.values.get(name)
    if (!found) return undefined
    this.values.delete(name)
    const now = Date.now()
    if (now < found.fromMs || now >= found.untilMs) return undefined
    this.values.set(name, found)
    return found.value
  }

  add(name: string, value: T, { fromMs, untilMs }: { fromMs: number; untilMs: number }): T {
    this.values.delete(name)
    const [longestUnused] = this.values.keys()
    if (this.values.size >= this.max && longestUnused !== undefined) {
      this.values.delete(longestUnused)
    }
    this.values.set(name, { value, fromMs, untilMs })
    return value
  }
}
