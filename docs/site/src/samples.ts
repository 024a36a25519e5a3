const named = /^```(\w+) ([\w.-]+)\n([^]*?)^```$/gm

/** A translation names the file of a sample and leaves it empty: English alone has its code. */
export function fillSamples(translation: string, english: string): string {
  const codes = new Map(
    [...english.matchAll(named)].map(([, , file = '', code = '']) => [file, code]),
  )
  return translation.replace(named, (...[, language, file, own]: string[]) => {
    const code = codes.get(file ?? '')
    if (code === undefined) throw new Error(`the English page has no sample ${file}`)
    if (own !== '') throw new Error(`the sample ${file} is written twice`)
    return `\`\`\`${language} ${file}\n${code}\`\`\``
  })
}
