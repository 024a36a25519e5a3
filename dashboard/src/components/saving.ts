/** Mutations run one at a time, so that a double click sends one request. */

import type { UseFormReturnType } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useRef, type SubmitEvent } from 'react'
import { ServiceError } from '../api/connection'
import { useTexts } from '../i18n/texts'

export interface Saving<Input> {
  run(input: Input): void
  /** For the button's `loading`. */
  isSaving: boolean
  /** For `<ErrorAlert error>`; null if there is none, or if it is shown at the form's fields. */
  error: Error | null
  reset(): void
}

export interface SavingPlan<Input, Output> {
  save(input: Input): Promise<Output>
  onSaved?(output: Output, input: Input): unknown
  onError?(error: Error): void
}

export function useSaving<Input, Output>(plan: SavingPlan<Input, Output>): Saving<Input> {
  const isRunning = useRef(false)
  const mutation = useMutation<Output, Error, Input>({ mutationFn: (input) => plan.save(input) })
  // A second click may arrive before the button is disabled.
  const run = (input: Input) => {
    if (isRunning.current) return
    isRunning.current = true
    mutation
      .mutateAsync(input)
      .then(
        (output) => void plan.onSaved?.(output, input),
        (error: unknown) => plan.onError?.(error as Error),
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

/** `useSaving` for a form: field errors go to their fields, and the first one takes the focus. */
export function useFormSaving<Values extends object, Output>(
  form: UseFormReturnType<Values>,
  plan: SavingPlan<Values, Output>,
): FormSaving {
  const texts = useTexts()
  const focusFirst = (fields: string[]) => form.getInputNode(fields[0] ?? '')?.focus()
  const saving = useSaving<Values, Output>({
    ...plan,
    onError: (error) => {
      const fieldErrors = readFieldErrors(error)
      form.setErrors(
        Object.fromEntries(
          fieldErrors.map(({ field, message }) => [
            field,
            texts.errors.translateFieldError(message),
          ]),
        ),
      )
      focusFirst(fieldErrors.map(({ field }) => field))
      plan.onError?.(error)
    },
  })
  const hasField = (field: string) => form.getInputNode(field) !== null
  const fieldErrors = readFieldErrors(saving.error)
  const isShownAtFields =
    fieldErrors.length > 0 && fieldErrors.every(({ field }) => hasField(field))
  return {
    onSubmit: form.onSubmit(saving.run, (errors) => focusFirst(Object.keys(errors))),
    isSaving: saving.isSaving,
    error: isShownAtFields ? null : saving.error,
  }
}

// The service writes `lines[2].vatRate`, a form `lines.2.vatRate`.
const readFieldErrors = (error: Error | null) =>
  error instanceof ServiceError
    ? error.fieldErrors.map(({ field, message }) => ({
        field: field.replace(/\[(\d+)\]/g, '.$1'),
        message,
      }))
    : []
