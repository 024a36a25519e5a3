export function shareAnswers<Question extends string[], Answer>(
  ask: (...question: Question) => Promise<Answer>,
): (...question: Question) => Promise<Answer> {
  const asked = new Map<string, Promise<Answer>>()
  return (...question) => {
    const key = JSON.stringify(question)
    const answer = asked.get(key) ?? ask(...question).finally(() => asked.delete(key))
    asked.set(key, answer)
    return answer
  }
}
