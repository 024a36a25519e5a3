/**
 * Everything that changes something goes through here: one at a time, so that a double click makes
 * one; what is refused is shown where it belongs.
 */

import type { UseFormReturnType } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useRef, type SubmitEvent } from 'react'
import { Refused } from '../api/connection'
import { useTexts } from '../i18n/texts'

export interface Saving<Input> {
  run(input: Input): void
  /** For the button's `loading`. */
  isSaving: boolean
  /** For `<Refusal error>`; null when there is none, or all of it stands at its fields. */
  error: Error | null
  reset(): void
}

export interface SavingPlan<Input, Output> {
  save(input: Input): Promise<Output>
  onSaved?(output: Output, input: Input): unknown
  onRefused?(error: Error): void
}

export function useSaving<Input, Output>(plan: SavingPlan<Input, Output>): Saving<Input> {
  const isRunning = useRef(false)
  const mutation = useMutation<Output, Error, Input>({ mutationFn: (input) => plan.save(input) })
  // What disables a button comes a moment after the click; a second click may come before it.
  const run = (input: Input) => {
    if (isRunning.current) return
    isRunning.current = true
    mutation
      .mutateAsync(input)
      .then(
        (output) => void plan.onSaved?.(output, input),
        (error: unknown) => plan.onRefused?.(error as Error),
      )
      .finally(() => {
        isRunning.current = false
      })
  }
  return { run, isSaving: mutation.isPending, error: mutation.error, reset: mutation.reset }
}

export interface FormSaving {
  onSubmit(event?: SubmitEvent<HTMLFormElement>): void
  isSaving: boolean
  error: Error | null
}

/** As `useSaving` for a form: faults go to their fields, and the first of them takes the focus. */
export function useFormSaving<Values extends object, Output>(
  form: UseFormReturnType<Values>,
  plan: SavingPlan<Values, Output>,
): FormSaving {
  const texts = useTexts()
  const focusFirst = (fields: string[]) => form.getInputNode(fields[0] ?? '')?.focus()
  const saving = useSaving<Values, Output>({
    ...plan,
    onRefused: (error) => {
      const faults = faultsOf(error)
      form.setErrors(
        Object.fromEntries(
          faults.map(({ field, message }) => [field, texts.refusals.fault(message)]),
        ),
      )
      focusFirst(faults.map(({ field }) => field))
      plan.onRefused?.(error)
    },
  })
  const hasField = (field: string) => form.getInputNode(field) !== null
  const faults = faultsOf(saving.error)
  const isShownAtFields = faults.length > 0 && faults.every(({ field }) => hasField(field))
  return {
    onSubmit: form.onSubmit(saving.run, (errors) => focusFirst(Object.keys(errors))),
    isSaving: saving.isSaving,
    error: isShownAtFields ? null : saving.error,
  }
}

// The service says `lines[2].vatRate` where a form says `lines.2.vatRate`.
const faultsOf = (error: Error | null) =>
  error instanceof Refused
    ? error.faults.map(({ field, message }) => ({
        field: field.replace(/\[(\d+)\]/g, '.$1'),
        message,
      }))
    : []
