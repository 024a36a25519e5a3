// Whether the process in this container answers: `main.js http://127.0.0.1:9101/servingz`.
// For Docker: the image has no other program to ask with.

const answerMs = 4_000

async function assertOk(url: string): Promise<void> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(answerMs) })
  const body = (await answer.text()).slice(0, 500)
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}: ${body}`)
}

const [url = ''] = process.argv.slice(2)
assertOk(url).catch((error: unknown) => {
  const { message, cause } = error as Error
  const reason = cause instanceof Error ? `${message}: ${cause.message}` : message
  process.stderr.write(`${url}: ${reason}\n`)
  process.exit(1)
})
