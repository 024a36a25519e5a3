/** Lanes take turns. When the queue is full, the longest lane loses its last entry. */

export interface Waiting {
  start: () => void
  reject: () => void
}

export class FairQueue {
  private readonly lanes = new Map<string, Waiting[]>()
  private count = 0
  private readonly waitingMax: number

  constructor(waitingMax: number) {
    this.waitingMax = waitingMax
  }

  add(lane: string, waiting: Waiting): boolean {
    if (this.count >= this.waitingMax && !this.makeSpace(lane)) return false
    const queue = this.lanes.get(lane)
    if (queue) queue.push(waiting)
    else this.lanes.set(lane, [waiting])
    this.count += 1
    return true
  }

  next(): Waiting | undefined {
    for (const [lane, queue] of this.lanes) {
      const first = queue.shift()
      this.lanes.delete(lane)
      if (queue.length > 0) this.lanes.set(lane, queue)
      this.count -= 1
      return first
    }
    return undefined
  }

  remove(lane: string, waiting: Waiting): void {
    const queue = this.lanes.get(lane)
    const index = queue?.indexOf(waiting) ?? -1
    if (!queue || index < 0) return
    queue.splice(index, 1)
    if (queue.length === 0) this.lanes.delete(lane)
    this.count -= 1
  }

  private makeSpace(lane: string): boolean {
    const [longest, queue] = [...this.lanes].reduce((a, b) => (b[1].length > a[1].length ? b : a))
    const own = this.lanes.get(lane)?.length ?? 0
    const last = queue.at(-1)
    if (queue.length <= own + 1 || !last) return false
    this.remove(longest, last)
    last.reject()
    return true
  }
}
