import { Button, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../i18n/texts'
import { Icon } from '../components/icon'
import { createLine, type TypedDraft } from './draft'
import classes from './editor.module.css'
import { LineFields } from './line-fields'

/** The service's own: 2,000; a page with so many fields would be of no use. */
const linesMax = 200

export function DraftLines({ form }: { form: UseFormReturnType<TypedDraft> }) {
  const { draft } = useTexts()
  const [announcement, setAnnouncement] = useState('')
  const focusAt = useRef<number | undefined>(undefined)
  const { lines } = form.values
  useEffect(() => {
    if (focusAt.current === undefined) return
    form.getInputNode(`lines.${focusAt.current}.description`)?.focus()
    focusAt.current = undefined
  })
  const add = () => {
    focusAt.current = lines.length
    form.insertListItem('lines', createLine())
  }
  const remove = (index: number) => {
    focusAt.current = Math.max(0, Math.min(index, lines.length - 2))
    form.removeListItem('lines', index)
  }
  const move = (from: number, to: number) => {
    if (to < 0 || to >= lines.length) return
    setAnnouncement(draft.moved(to + 1))
    form.reorderListItem('lines', { from, to })
  }
  return (
    <>
      <p role="status" className="visually-hidden">
        {announcement}
      </p>
      <ol className={classes['lines']}>
        {lines.map((line, index) => (
          <li key={line.key}>
            <LineFields form={form} index={index} onMove={move} onRemove={remove} />
          </li>
        ))}
      </ol>
      <div className={classes['add']}>
        <Button
          variant="default"
          leftSection={<Icon name="plus" />}
          disabled={lines.length >= linesMax}
          onClick={add}
        >
          {draft.addLine}
        </Button>
        <Text size="xs" c="dimmed">
          {draft.linesHint}
        </Text>
      </div>
    </>
  )
}
