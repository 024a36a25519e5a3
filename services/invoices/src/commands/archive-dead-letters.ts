import type { ArchiveDeadLetter, InvoiceStore } from '../store/store'

const pageSize = 200

type Store = Pick<InvoiceStore, 'listArchiveDeadLetters' | 'reviveArchiveWork'>

export async function* listArchiveDeadLetters(store: Store): AsyncGenerator<ArchiveDeadLetter> {
  let after: string | undefined
  for (;;) {
    const page = await store.listArchiveDeadLetters(after, pageSize)
    if (page.length === 0) return
    yield* page
    after = page.at(-1)?.position
  }
}

export async function* retryArchiveDeadLetters(
  store: Store,
  isChosen: (letter: ArchiveDeadLetter) => boolean,
): AsyncGenerator<ArchiveDeadLetter> {
  for await (const letter of listArchiveDeadLetters(store)) {
    if (isChosen(letter) && (await store.reviveArchiveWork(letter))) yield letter
  }
}
