import { limits } from '@einvoicing/domain/limits'
import {
  findPasswordWeakness,
  type EstimateGuesses,
  type PasswordOwner,
  type PasswordWeakness,
} from '@einvoicing/domain/password-rule'
import { PasswordInput, Text, type PasswordInputProps } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../i18n/texts'

const pauseMs = 250

export interface NewPasswordProps extends PasswordInputProps {
  /** The user's own words are easy to guess. */
  findOwner(): PasswordOwner
}

export function NewPassword({ findOwner, ...props }: NewPasswordProps) {
  const { frame, security } = useTexts()
  const [judged, setJudged] = useState<PasswordWeakness | 'strong'>()
  const estimate = useRef<Promise<EstimateGuesses>>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const typed = useRef('')
  useEffect(() => () => clearTimeout(timer.current), [])
  const load = () =>
    (estimate.current ??= import('./password-estimate').then((module) => module.createEstimate()))
  const judge = async () => {
    const password = typed.current
    if ([...password].length < limits.passwordLengthMin) {
      setJudged(undefined)
      return
    }
    const guesses = await load().catch(() => undefined)
    if (!guesses || password !== typed.current) return
    setJudged(findPasswordWeakness(password, findOwner(), guesses) ?? 'strong')
  }
  return (
    <div>
      <PasswordInput
        description={frame.passwordRule}
        autoComplete="new-password"
        {...props}
        onFocus={(event) => {
          props.onFocus?.(event)
          load().catch(() => undefined)
        }}
        onChange={(event) => {
          props.onChange?.(event)
          typed.current = event.currentTarget.value
          clearTimeout(timer.current)
          timer.current = setTimeout(() => void judge(), pauseMs)
        }}
      />
      <Text size="sm" mt={4} aria-live="polite" {...(judged !== 'strong' && { c: 'red.9' })}>
        {judged && security.strength[judged]}
      </Text>
    </div>
  )
}
