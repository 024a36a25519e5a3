import { useState, type ReactNode } from 'react'
import classes from './editor.module.css'

export interface FoldedProps {
  label: string
  isOpenAtFirst?: boolean
  /** Opens, so that a marked field is seen and takes the focus. */
  hasErrors: boolean
  children: ReactNode
}

export function Folded({ label, isOpenAtFirst = false, hasErrors, children }: FoldedProps) {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst)
  return (
    <details
      open={isOpen || hasErrors}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>{label}</summary>
      <div className={classes['folded']}>{children}</div>
    </details>
  )
}
