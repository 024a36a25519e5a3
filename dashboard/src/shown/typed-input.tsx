/** A field of a filter: asks when the typing rests, not with each letter. */

import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'

export interface TypedInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string
  settledMs: number
  onTyped(value: string): void
}

export function TypedInput({ value, settledMs, onTyped, ...others }: TypedInputProps) {
  const [text, setText] = useState(value)
  const [shown, setShown] = useState(value)
  if (shown !== value) {
    setShown(value)
    if (text.trim() !== value) setText(value)
  }
  const tell = useDebouncedCallback((typed: string) => onTyped(typed.trim()), settledMs)
  return (
    <TextInput
      {...others}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        tell(currentTarget.value)
      }}
    />
  )
}
