/** Without the stream's own iterator, which not every runtime has. */
export async function* readChunks(
  body: ReadableStream<Uint8Array> | null,
  toError: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array, void, void> {
  const reader = body?.getReader()
  while (reader) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw toError(error)
    })
    if (done) return
    yield value
  }
}

export async function readAll(body: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let length = 0
  for (const chunk of chunks) {
    bytes.set(chunk, length)
    length += chunk.length
  }
  return bytes
}
