import { useTexts } from '../i18n/texts'
import classes from './code-block.module.css'
import { CopyButton } from './copy-button'

export interface CodeBlockProps {
  text: string
  label: string
  copyLabel?: string
}

export function CodeBlock({ text, label, copyLabel }: CodeBlockProps) {
  const texts = useTexts()
  return (
    <div className={classes['block']}>
      <pre className={classes['text']} tabIndex={0} role="region" aria-label={label}>
        <code>{text}</code>
      </pre>
      <CopyButton
        text={text}
        label={copyLabel ?? texts.frame.copy}
        size="xs"
        className={classes['copy'] ?? ''}
      />
    </div>
  )
}
