import type { ReactNode } from 'react'
import classes from './lines.module.css'

export interface PlainFieldProps {
  label: string
  id: string
  error: ReactNode
  className?: string | undefined
  /** Otherwise the head of a column shows it on wide screens. */
  isLabelShown?: boolean
  children: ReactNode
}

export function PlainField(props: PlainFieldProps) {
  const { label, id, error, className, isLabelShown = false, children } = props
  return (
    <div className={className}>
      <label className={classes['field']}>
        <span className={isLabelShown ? classes['shown'] : classes['label']}>{label}</span>
        {children}
      </label>
      {error !== undefined && (
        <span id={id} className={classes['error']}>
          {error}
        </span>
      )}
    </div>
  )
}
