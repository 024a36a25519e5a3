import { useTexts } from '../i18n/texts'
import classes from './raw-response.module.css'

/** JSON or XML rather than a sentence. */
export const isRawResponse = (text: string) => /^\s*[[{<]/.test(text)

export function RawResponse({ text }: { text: string }) {
  const { invoice } = useTexts()
  return (
    <details className={classes['answer']}>
      <summary>{invoice.answer}</summary>
      <pre tabIndex={0}>{indent(text)}</pre>
    </details>
  )
}

function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
