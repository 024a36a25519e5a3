export function shareAnswers<Question extends string[], Answer>(
  read: (...question: Question) => Promise<Answer>,
): (...question: Question) => Promise<Answer> {
  const pending = new Map<string, Promise<Answer>>()
  return (...question) => {
    const key = JSON.stringify(question)
    const answer = pending.get(key) ?? read(...question).finally(() => pending.delete(key))
    pending.set(key, answer)
    return answer
  }
}
