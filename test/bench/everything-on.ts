import { openSubject, type Kind, type Subject } from './subject'

/** A stack with everything on: one for each section, or one that they share to save time. */
export class EverythingOn {
  readonly kind: Kind
  private readonly isShared: boolean
  private opened: Promise<Subject> | undefined

  constructor(kind: Kind, { isShared }: { isShared: boolean }) {
    this.kind = kind
    this.isShared = isShared
  }

  async use<T>(work: (subject: Subject) => Promise<T>): Promise<T> {
    this.opened ??= openSubject(this.kind)
    const subject = await this.opened
    try {
      return await work(subject)
    } finally {
      if (!this.isShared) await this.dispose()
    }
  }

  async dispose(): Promise<void> {
    const opened = this.opened
    this.opened = undefined
    await (await opened)?.dispose()
  }
}
