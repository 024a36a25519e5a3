/** What was used last, as much as fits in `bytesMax`. */
export class RecentBytes {
  private readonly entries = new Map<string, Buffer>()
  private bytes = 0
  private readonly bytesMax: number

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax
  }

  get(key: string): Buffer | undefined {
    const found = this.entries.get(key)
    if (!found) return undefined
    this.entries.delete(key)
    this.entries.set(key, found)
    return found
  }

  add(key: string, bytes: Buffer): void {
    if (bytes.length > this.bytesMax) return
    this.remove(key)
    this.entries.set(key, bytes)
    this.bytes += bytes.length
    for (const oldest of this.entries.keys()) {
      if (this.bytes <= this.bytesMax) return
      this.remove(oldest)
    }
  }

  private remove(key: string): void {
    this.bytes -= this.entries.get(key)?.length ?? 0
    this.entries.delete(key)
  }
}
