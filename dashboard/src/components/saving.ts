/** Mutations run one at a time, so that a double click sends one request. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type ReactNode, type SubmitEvent } from 'react'
import { ServiceError } from '../api/connection'
import { useTexts } from '../i18n/texts'

export interface Saving<Input> {
  run(input: Input): void
  isSaving: boolean
  /** Now, which `isSaving` says once it is drawn. */
  isRunning(): boolean
  /** Null also when it is shown at the form's fields. */
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
  const { isPending: isSaving, error, reset } = mutation
  return { run, isSaving, isRunning: () => isRunning.current, error, reset }
}

/** A dialog stays until what it saves is done, or its result would not be seen. */
export function useCloseUnlessSaving(close: () => void): () => void {
  const queries = useQueryClient()
  return () => {
    if (queries.isMutating() === 0) close()
  }
}

export interface SavingForm<Values> {
  onSubmit(
    save: (values: Values) => void,
    onInvalid: (errors: Record<string, unknown>) => void,
  ): (event?: SubmitEvent<HTMLFormElement>) => void
  setErrors(errors: Record<string, ReactNode>): void
  getInputNode(path: string): HTMLElement | null
}

export interface FormSavingPlan<Input, Output> extends SavingPlan<Input, Output> {
  /** The fields of an error that the service names by its code alone. */
  findFields?(error: ServiceError): Record<string, ReactNode> | undefined
}

export interface FormSaving {
  onSubmit(event?: SubmitEvent<HTMLFormElement>): void
  isSaving: boolean
  error: Error | null
  /** Since the last attempt. */
  invalidFields: number
}

/** Field errors go to their fields, and the first one takes the focus. */
export function useFormSaving<Values extends object, Output>(
  form: SavingForm<Values>,
  plan: FormSavingPlan<Values, Output>,
): FormSaving {
  const texts = useTexts()
  const [invalidFields, setInvalidFields] = useState(0)
  const mark = (fields: string[]) => {
    setInvalidFields(fields.length)
    form.getInputNode(fields[0] ?? '')?.focus()
  }
  const saving = useSaving<Values, Output>({
    ...plan,
    save: (values) => {
      setInvalidFields(0)
      return plan.save(values)
    },
    onError: (error) => {
      const marks = {
        ...Object.fromEntries(
          readFieldErrors(error).map(({ field, message }) => [
            field,
            texts.errors.translateFieldError(message),
          ]),
        ),
        ...(error instanceof ServiceError && plan.findFields?.(error)),
      }
      form.setErrors(marks)
      mark(Object.keys(marks).filter((field) => form.getInputNode(field) !== null))
      plan.onError?.(error)
    },
  })
  const fieldErrors = readFieldErrors(saving.error)
  const isShownAtFields =
    fieldErrors.length > 0 && fieldErrors.every(({ field }) => form.getInputNode(field) !== null)
  return {
    onSubmit: form.onSubmit(saving.run, (errors) => {
      saving.reset()
      mark(Object.keys(errors))
    }),
    isSaving: saving.isSaving,
    error: isShownAtFields ? null : saving.error,
    invalidFields,
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
