import { parentPort } from 'node:worker_threads'
import Database from 'libsql'
import { isStorageFailure, type Sqlite } from './sqlite'

export type ReadRequest<Question> = { question: Question }

/** `passing`: a retry may succeed. */
export type ReadFailure = { error: string; passing: boolean }

export type ReadAnswered<Answer> = { answer: Answer } | ReadFailure

/** What the thread of a `ReadThread` runs. */
export function answerReads<Question, Answer>(
  file: string,
  open: (reader: Sqlite) => (question: Question) => Answer,
  onClose: () => void = () => undefined,
): void {
  const reader = new Database(file)
  reader.pragma('query_only = ON')
  reader.pragma('cache_size = -4096')
  const read = open(reader)
  parentPort?.on('message', (request: ReadRequest<Question> | 'close') => {
    if (request === 'close') {
      reader.close()
      onClose()
      parentPort?.close()
    } else parentPort?.postMessage(answer(request, read))
  })
}

function answer<Question, Answer>(
  { question }: ReadRequest<Question>,
  read: (question: Question) => Answer,
): ReadAnswered<Answer> {
  try {
    return { answer: read(question) }
  } catch (error) {
    return { error: (error as Error).message, passing: isStorageFailure(error) }
  }
}
