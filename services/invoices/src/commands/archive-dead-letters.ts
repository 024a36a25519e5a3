import type { ArchiveDeadLetter, InvoiceStore } from '../store/store'

const pageSize = 200

type Store = Pick<InvoiceStore, 'listArchiveDeadLetters' | 'reviveArchiveWork'>

/** Artefacts that were given up after too many failed attempts to archive them. */
export async function* listArchiveDeadLetters(store: Store): AsyncGenerator<ArchiveDeadLetter> {
  let after: string | undefined
  for (;;) {
    const page = await store.listArchiveDeadLetters(after, pageSize)
    if (page.length === 0) return
    yield* page
    after = page.at(-1)?.position
  }
}

/** Schedules them again, at once and from the first attempt; yields those that were. */
export async function* retryArchiveDeadLetters(
  store: Store,
  isChosen: (letter: ArchiveDeadLetter) => boolean,
): AsyncGenerator<ArchiveDeadLetter> {
  for await (const letter of listArchiveDeadLetters(store)) {
    if (isChosen(letter) && (await store.reviveArchiveWork(letter))) yield letter
  }
}
