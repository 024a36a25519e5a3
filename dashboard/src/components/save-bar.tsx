import type { ReactNode } from 'react'
import classes from './save-bar.module.css'

export function SaveBar({ errors, children }: { errors: ReactNode; children: ReactNode }) {
  return (
    <div className={classes['bar']}>
      {errors}
      <div className={classes['buttons']}>{children}</div>
    </div>
  )
}
