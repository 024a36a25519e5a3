import type { ReactNode } from 'react'
import { useTexts } from '../i18n/texts'
import classes from './technical-detail.module.css'

/** Folded: the service's English text is for programs and for the support. */
export function TechnicalDetail({ children }: { children: ReactNode }) {
  const { errors } = useTexts()
  return (
    <details className={classes['detail']}>
      <summary>{errors.technical}</summary>
      <div lang="en">{children}</div>
    </details>
  )
}
