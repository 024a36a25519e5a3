import { limits } from '@einvoicing/domain/limits'
import { Button, Text } from '@mantine/core'
import { memo, useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useKnownArticles } from '../api/suggestions'
import { useLanguage, useTexts } from '../i18n/texts'
import { Icon } from '../components/icon'
import { useSettledFields } from '../components/settled-fields'
import { createLine, isBlankLine, toLineFields, type TypedLine } from './draft'
import type { DraftFormState, LineActions } from './draft-state'
import { chunkSize, LineChunk, toChunks } from './line-chunk'
import classes from './lines.module.css'
import { isLineColumn, toPastedLines } from './paste-lines'

export interface DraftLinesProps {
  lines: readonly TypedLine[]
  currency: string
  errors: DraftFormState['errors']['lines']
  actions: LineActions
}

/** Not drawn again when another part of the draft changes. */
export const DraftLines = memo(function DraftLines(props: DraftLinesProps) {
  const { lines, currency, errors } = props
  const { draft } = useTexts()
  const articles = useKnownArticles(currency)
  const { announcement, actions, add, handlers } = useLineKeys(props, articles)
  return (
    <>
      <p role="status" className="visually-hidden">
        {announcement}
      </p>
      <Columns />
      <div {...handlers}>
        {toChunks(lines).map((chunk, index) => (
          <LineChunk
            // Lines move from one to the next; a chunk itself has no state.
            key={index}
            lines={chunk}
            first={index * chunkSize}
            count={lines.length}
            currency={currency}
            errors={errors}
            actions={actions}
          />
        ))}
      </div>
      <datalist id="articles">
        {[...articles.keys()].map((description) => (
          <option key={description} value={description} />
        ))}
      </datalist>
      <div className={classes['add']}>
        <Button
          variant="default"
          leftSection={<Icon name="plus" />}
          disabled={lines.length >= limits.lineCount}
          onClick={add}
        >
          {draft.addLine}
        </Button>
        <Text size="xs" c="dimmed" className={classes['hint'] ?? ''}>
          {lines.length >= limits.lineCount ? draft.linesFull(limits.lineCount) : draft.linesHint}
        </Text>
      </div>
    </>
  )
})

function Columns() {
  const { draft } = useTexts()
  const names = ['description', 'quantity', 'unit', 'unitPrice', 'vatRate', 'amount'] as const
  return (
    <div className={classes['columns']} aria-hidden="true">
      <span>#</span>
      {names.map((name) => (
        <span key={name}>{draft[name]}</span>
      ))}
      <span />
    </div>
  )
}

type Articles = ReturnType<typeof useKnownArticles>

function useLineKeys({ lines, currency, actions }: DraftLinesProps, articles: Articles) {
  const { language, texts } = useLanguage()
  const { draft } = texts
  const [announcement, setAnnouncement] = useState('')
  const focusAt = useRef<string | undefined>(undefined)
  const latest = useRef(lines)
  useEffect(() => {
    latest.current = lines
    if (focusAt.current === undefined) return
    findInput(focusAt.current)?.focus()
    focusAt.current = undefined
  })
  const rowActions = useMemo(
    () => ({
      change: actions.change,
      remove: (index: number) => {
        focusAt.current = toFieldPath(Math.min(index, latest.current.length - 2))
        actions.remove(index)
      },
      move: (from: number, to: number) => {
        if (to < 0 || to >= latest.current.length) return
        setAnnouncement(draft.moved(to + 1))
        actions.move(from, to)
      },
    }),
    [actions, draft],
  )
  const settled = useSettledFields((field) => {
    const at = readPath(field)
    const article = at?.name === 'description' && articles.get(field.value)
    const isNew = at && lines[at.index]?.unitPrice === ''
    if (!article || !isNew) return
    const { unitPrice = '', ...fields } = toLineFields(article.line, language)
    const isPriced = article.currency === currency
    actions.change(at.index, { ...fields, ...(isPriced && { unitPrice }) })
  })
  const add = () => {
    focusAt.current = toFieldPath(lines.length)
    actions.splice(lines.length, 0, [createLine()])
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const at = readPath(event.target)
    if (!at) return
    if (isMove(event)) {
      event.preventDefault()
      const to = event.key === 'ArrowUp' ? at.index - 1 : at.index + 1
      if (to >= 0 && to < lines.length) focusAt.current = toFieldPath(to, at.name)
      rowActions.move(at.index, to)
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      if (at.index === lines.length - 1) add()
      else findInput(toFieldPath(at.index + 1, at.name))?.focus()
    }
  }
  const onPaste = (event: React.ClipboardEvent<HTMLElement>) => {
    const at = readPath(event.target)
    if (!at || !isLineColumn(at.name)) return
    const text = event.clipboardData.getData('text/plain')
    const pasted = toPastedLines(text, at.name, language)
    const current = lines[at.index]
    if (!pasted || !current) return
    event.preventDefault()
    const added = pasted.map((fields) => createLine(fields))
    const removed = isBlankLine(current) ? 1 : 0
    actions.splice(at.index + 1 - removed, removed, added)
    const isCut = lines.length + added.length - removed > limits.lineCount
    setAnnouncement(isCut ? draft.linesFull(limits.lineCount) : draft.pasted(added.length))
  }
  return { announcement, actions: rowActions, add, handlers: { ...settled, onKeyDown, onPaste } }
}

const isMove = ({ altKey, key, target }: KeyboardEvent<HTMLElement>): boolean =>
  altKey && /^Arrow(Up|Down)$/.test(key) && !(target instanceof HTMLSelectElement)

const toFieldPath = (index: number, name = 'description') => `lines.${Math.max(0, index)}.${name}`

const findInput = (path: string) => document.querySelector<HTMLElement>(`[data-path="${path}"]`)

function readPath(target: EventTarget): { index: number; name: string } | undefined {
  const path = target instanceof HTMLElement ? (target.dataset['path'] ?? '') : ''
  const [, index, name] = /^lines\.(\d+)\.(\w+)$/.exec(path) ?? []
  return name === undefined ? undefined : { index: Number(index), name }
}
