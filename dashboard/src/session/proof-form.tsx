/** By password, code, recovery code or passkey, one at a time. */

import { Anchor, Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState, type ReactNode } from 'react'
import { canUsePasskeys, PasskeyDeclined } from '../api/passkeys'
import { ServiceError } from '../api/connection'
import { ErrorAlert } from '../components/error-alert'
import { useFormSaving, useSaving } from '../components/saving'
import type { Catalogue } from '../i18n/catalogue'
import { useTexts } from '../i18n/texts'

export type TypedProof = 'password' | 'code' | 'recoveryCode'

export interface ProofFormProps<Proven> {
  kinds: readonly TypedProof[]
  action: string
  dismiss?: ReactNode
  email?: string
  prove(proof: Partial<Record<TypedProof, string>>): Promise<Proven>
  /** Absent: no passkey. */
  provePasskey?: (() => Promise<Proven>) | undefined
  onProven(proven: Proven): void
  onError?(error: Error): void
}

export function ProofForm<Proven>(props: ProofFormProps<Proven>) {
  const { kinds, action, dismiss, email, onProven } = props
  const texts = useTexts()
  const { frame } = texts
  const [kind, setKind] = useState(kinds[0])
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { proof: '' },
    validate: { proof: (proof) => (proof.trim() ? null : frame.required) },
  })
  const saving = useFormSaving(form, {
    save: ({ proof }: { proof: string }) =>
      props.prove({ [kind ?? 'password']: kind === 'password' ? proof : proof.trim() }),
    onSaved: onProven,
    onError: (error) => props.onError?.(error),
    findFields: (error) => readProofError(error, kind, texts),
  })
  const change = (next: TypedProof) => {
    setKind(next)
    form.reset()
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        // Submits no form around the dialog in React's tree.
        event.stopPropagation()
        saving.onSubmit(event)
      }}
    >
      <Stack>
        {email !== undefined && (
          <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        )}
        {kind && (
          <ProofInput
            key={`${kind}-input`}
            kind={kind}
            field={form.getInputProps('proof')}
            path={form.key('proof')}
          />
        )}
        <ErrorAlert
          error={readProofError(saving.error, kind, texts) === undefined ? saving.error : null}
        />
        <Group justify={dismiss === undefined ? 'stretch' : 'space-between'} grow={!dismiss}>
          {dismiss}
          {kind && (
            <Button type="submit" loading={saving.isSaving}>
              {action}
            </Button>
          )}
        </Group>
        <OtherProofs {...props} kind={kind} onChange={change} />
      </Stack>
    </form>
  )
}

/** Shown at the field, except for a sign-in: email or password may be wrong. */
function readProofError(
  error: Error | null,
  kind: TypedProof | undefined,
  { errors, security }: Catalogue,
): Record<string, string> | undefined {
  if (!(error instanceof ServiceError) || !isWrongProof(error)) return undefined
  if (kind !== 'password') return { proof: security.wrongProof }
  const [wrong] = error.fieldErrors
  return wrong && { proof: errors.translateFieldError(wrong.message) }
}

function isWrongProof(error: Error): boolean {
  if (!(error instanceof ServiceError)) return false
  return error.code === 'CREDENTIALS_INVALID' || error.fieldErrors.length > 0
}

interface ProofInputProps {
  kind: TypedProof
  field: object
  path: string
}

function ProofInput({ kind, field, path }: ProofInputProps) {
  const { frame, security } = useTexts()
  if (kind === 'password') {
    return (
      <PasswordInput
        label={frame.password}
        autoComplete="current-password"
        data-autofocus
        autoFocus
        key={path}
        {...field}
      />
    )
  }
  const isCode = kind === 'code'
  return (
    <TextInput
      label={isCode ? security.code : security.recoveryCode}
      description={isCode ? security.codeHint : security.recoveryCodeHint}
      autoComplete={isCode ? 'one-time-code' : 'off'}
      inputMode={isCode ? 'numeric' : 'text'}
      data-autofocus
      autoFocus
      key={path}
      {...field}
    />
  )
}

type OtherProofsProps<Proven> = ProofFormProps<Proven> & {
  kind: TypedProof | undefined
  onChange(kind: TypedProof): void
}

function OtherProofs<Proven>({ kinds, kind, onChange, ...props }: OtherProofsProps<Proven>) {
  const { security } = useTexts()
  const { provePasskey } = props
  return (
    <>
      {provePasskey && canUsePasskeys() && (
        <PasskeyButton ask={provePasskey} onDone={props.onProven} onError={props.onError} />
      )}
      {kinds
        .filter((other) => other !== kind)
        .map((other) => (
          <Anchor
            key={other}
            component="button"
            type="button"
            size="sm"
            ta="center"
            onClick={() => onChange(other)}
          >
            {security.instead[other]}
          </Anchor>
        ))}
    </>
  )
}

interface PasskeyButtonProps<Proven> {
  ask(): Promise<Proven>
  onDone(proven: Proven): void
  onError?: ((error: Error) => void) | undefined
}

/** Closing the browser's dialog is no error. */
export function PasskeyButton<Proven>({ ask, onDone, onError }: PasskeyButtonProps<Proven>) {
  const { security } = useTexts()
  const saving = useSaving<undefined, Proven>({
    save: ask,
    onSaved: onDone,
    ...(onError && { onError }),
  })
  const error = saving.error instanceof PasskeyDeclined ? null : saving.error
  return (
    <>
      <Button variant="default" loading={saving.isSaving} onClick={() => saving.run(undefined)}>
        {security.usePasskey}
      </Button>
      <ErrorAlert error={error}>
        {error && isWrongProof(error) ? security.wrongPasskey : undefined}
      </ErrorAlert>
    </>
  )
}
