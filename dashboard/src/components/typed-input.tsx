import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'

export interface TypedInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** Absent: what is typed stays. */
  value: string | undefined
  settledMs: number
  onTyped(value: string): void
}

export function TypedInput({ value, settledMs, onTyped, ...others }: TypedInputProps) {
  const [text, setText] = useState(value ?? '')
  const [lastValue, setLastValue] = useState(value)
  if (lastValue !== value) {
    setLastValue(value)
    if (value !== undefined && text.trim() !== value) setText(value)
  }
  const report = useDebouncedCallback((typed: string) => onTyped(typed.trim()), settledMs)
  return (
    <TextInput
      {...others}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        report(currentTarget.value)
      }}
    />
  )
}
