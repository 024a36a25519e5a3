/** A key typed in a line makes one new line object, so that only that line is drawn again. */

import { limits } from '@einvoicing/domain/limits'
import { useMemo, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import type { SavingForm } from '../components/saving'
import { createLine, type TypedDraft, type TypedLine, type TypedLineFields } from './draft'

export type DraftField = {
  [Name in keyof TypedDraft]: TypedDraft[Name] extends string ? Name : never
}[keyof TypedDraft]
/** By paths such as `allowances.0.reason`. */
export type FieldErrors = Readonly<Record<string, ReactNode>>
export type LineErrors = FieldErrors

interface Errors {
  fields: FieldErrors
  lines: Readonly<Record<string, LineErrors>>
}

export interface LineActions {
  change(index: number, fields: Partial<TypedLineFields>): void
  splice(index: number, removed: 0 | 1, added: readonly TypedLine[]): void
  remove(index: number): void
  move(from: number, to: number): void
}

export interface DraftFormState extends SavingForm<TypedDraft> {
  values: TypedDraft
  errors: Errors
  isDirty: boolean
  change(fields: Partial<Omit<TypedDraft, 'lines'>>): void
  lines: LineActions
  reset(values: TypedDraft): void
  /** A proposed value counts as unchanged. */
  propose(fields: Partial<Omit<TypedDraft, 'lines'>>): void
}

const noErrors: Errors = { fields: {}, lines: {} }

export function useDraftState(
  createInitial: () => TypedDraft,
  findErrors: (values: TypedDraft) => Record<string, string>,
): DraftFormState {
  const [base, setBase] = useState(createInitial)
  const [values, setValues] = useState(base)
  const [errors, setErrors] = useState(noErrors)
  const lines = useMemo(() => createLineActions(setValues, setErrors), [])
  // At once: a folded part opens, so that its field can take the focus.
  const mark = (found: Record<string, ReactNode>) =>
    flushSync(() => setErrors(splitErrors(found, values.lines)))
  return {
    values,
    errors,
    lines,
    isDirty: useMemo(() => isDifferent(values, base), [values, base]),
    change: (fields) => {
      setValues((before) => ({ ...before, ...fields }))
      setErrors((before) => clearFields(before, Object.keys(fields)))
    },
    propose: (fields) => {
      setValues((before) => ({ ...before, ...fields }))
      setBase((before) => ({ ...before, ...fields }))
    },
    reset: (fresh) => {
      setBase(fresh)
      setValues(fresh)
      setErrors(noErrors)
    },
    setErrors: mark,
    getInputNode: findInput,
    onSubmit: (save, onInvalid) => (event) => {
      event?.preventDefault()
      const found = findErrors(values)
      mark(found)
      if (Object.keys(found).length > 0) onInvalid(found)
      else save(values)
    },
  }
}

/** An input names the fields whose errors it shows; that of a whole field is at its first input. */
function findInput(path: string): HTMLElement | null {
  const quoted = CSS.escape(path)
  const exact = document.querySelector<HTMLElement>(`[data-path~="${quoted}"]`)
  if (exact || path === 'lines') return exact
  return document.querySelector<HTMLElement>(`[data-path^="${quoted}\\."]`)
}

type Set<T> = (change: (before: T) => T) => void

function createLineActions(setValues: Set<TypedDraft>, setErrors: Set<Errors>): LineActions {
  const setLines = (change: (lines: TypedLine[]) => TypedLine[]) =>
    setValues((before) => ({ ...before, lines: change(before.lines) }))
  return {
    change: (index, fields) => {
      setValues((before) => {
        const line = before.lines[index]
        if (!line) return before
        setErrors((errors) => clearLine(errors, line.key, Object.keys(fields)))
        return { ...before, lines: before.lines.with(index, { ...line, ...fields }) }
      })
    },
    splice: (index, removed, added) =>
      setLines((lines) => {
        const free = limits.lineCount - lines.length + removed
        return lines.toSpliced(index, removed, ...added.slice(0, free))
      }),
    remove: (index) =>
      setLines((lines) => (lines.length === 1 ? [createLine()] : lines.toSpliced(index, 1))),
    move: (from, to) =>
      setLines((lines) => {
        const line = lines[from]
        return line ? lines.toSpliced(from, 1).toSpliced(to, 0, line) : lines
      }),
  }
}

function clearFields(errors: Errors, names: string[]): Errors {
  const fields = withoutErrors(errors.fields, names)
  return fields === errors.fields ? errors : { ...errors, fields }
}

/** Includes errors within these fields. */
function withoutErrors(errors: FieldErrors, names: readonly string[]): FieldErrors {
  const isUnder = (path: string) =>
    names.some((name) => path === name || path.startsWith(`${name}.`))
  const left = Object.entries(errors).filter(([path]) => !isUnder(path))
  return left.length === Object.keys(errors).length ? errors : Object.fromEntries(left)
}

function clearLine(errors: Errors, key: string, names: string[]): Errors {
  const marked = errors.lines[key]
  const left = marked && withoutErrors(marked, names)
  if (!left || left === marked) return errors
  return { ...errors, lines: { ...errors.lines, [key]: left } }
}

/** From paths like `lines.0.quantity`, so that an error stays with its line when lines move. */
function splitErrors(found: Record<string, ReactNode>, lines: readonly TypedLine[]): Errors {
  const fields: Record<string, ReactNode> = {}
  const byLine: Record<string, Record<string, ReactNode>> = {}
  for (const [path, error] of Object.entries(found)) {
    const [, index, name] = /^lines\.(\d+)\.(.+)$/.exec(path) ?? []
    const key = lines[Number(index)]?.key
    if (name !== undefined && key !== undefined) (byLine[key] ??= {})[name] = error
    else fields[path] = error
  }
  return { fields, lines: byLine }
}

function isDifferent(values: TypedDraft, base: TypedDraft): boolean {
  const { lines, ...fields } = values
  const names = Object.keys(fields) as (keyof typeof fields)[]
  if (names.some((name) => values[name] !== base[name])) return true
  if (lines.length !== base.lines.length) return true
  return lines.some((line, index) => isLineDifferent(line, base.lines[index]))
}

function isLineDifferent(line: TypedLine, other: TypedLine | undefined): boolean {
  if (line === other) return false
  if (!other) return true
  const names = Object.keys(line) as (keyof TypedLine)[]
  return names.some((name) => name !== 'key' && line[name] !== other[name])
}

export function inputProps(form: DraftFormState, name: DraftField) {
  return {
    value: form.values[name],
    error: form.errors.fields[name] ?? form.errors.fields[name.replace(/\.[^.]*$/, '')],
    'data-path': name,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      form.change({ [name]: currentTarget.value }),
  }
}
