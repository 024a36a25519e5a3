export interface Deferred {
  done: Promise<void>
  resolve(): void
  reject(error?: Error): void
}

export function createDeferred(): Deferred {
  const deferred: Partial<Deferred> = {}
  deferred.done = new Promise((resolve, reject) => Object.assign(deferred, { resolve, reject }))
  return deferred as Deferred
}
