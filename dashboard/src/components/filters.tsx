import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTexts } from '../i18n/texts'
import classes from './filters.module.css'

export interface FiltersProps {
  label: string
  className: string | undefined
  active: number
  first: ReactNode
  children: ReactNode
}

export function Filters({ label, className = '', active, first, children }: FiltersProps) {
  const { frame } = useTexts()
  const [isOpen, setIsOpen] = useState(active > 0)
  return (
    <search className={`${className} ${isOpen ? '' : classes['folded']}`} aria-label={label}>
      {first}
      <Button
        className={classes['toggle'] ?? ''}
        variant="default"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {frame.filters(active)}
      </Button>
      {children}
    </search>
  )
}
