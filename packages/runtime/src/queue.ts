/** `Array.shift` moves every remaining element; this has the same cost at any length. */
export class Queue<T> {
  private readonly arrived: T[] = []
  /** Reversed, so that the next one is the last. */
  private leaving: T[] = []

  push(item: T): void {
    this.arrived.push(item)
  }

  shift(): T | undefined {
    if (this.leaving.length === 0) this.leaving = this.arrived.splice(0).reverse()
    return this.leaving.pop()
  }
}
