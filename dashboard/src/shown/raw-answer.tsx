/** What the tax authority answered, word for word: folded, since few want it. */

import { useTexts } from '../i18n/texts'
import classes from './raw-answer.module.css'

/** Whether a detail of the audit is an answer of a machine and not a sentence. */
export const isRawAnswer = (text: string) => /^\s*[[{<]/.test(text)

export function RawAnswer({ text }: { text: string }) {
  const { invoice } = useTexts()
  return (
    <details className={classes['answer']}>
      <summary>{invoice.answer}</summary>
      <pre tabIndex={0}>{indented(text)}</pre>
    </details>
  )
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
