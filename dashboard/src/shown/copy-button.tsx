/** Copies a text, and says so. */

import { Button, type ButtonProps } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTexts } from '../i18n/texts'
import { Icon } from './icon'

const copiedForMs = 2_000

export function CopyButton({
  text,
  label,
  ...props
}: ButtonProps & { text: string; label?: string }) {
  const texts = useTexts()
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setIsCopied(false), copiedForMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  return (
    <Button
      variant="default"
      leftSection={<Icon name={isCopied ? 'check' : 'copy'} />}
      onClick={() => void copy(text).then(setIsCopied)}
      {...props}
    >
      <span aria-live="polite">{isCopied ? texts.frame.copied : (label ?? texts.frame.copy)}</span>
    </Button>
  )
}

/** False where neither way is allowed. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text) // a page that came by plain HTTP has no clipboard of its own
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'visually-hidden'
  document.body.append(area)
  area.select()
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- where there is no clipboard there is nothing else
  const isCopied = document.execCommand('copy')
  area.remove()
  return isCopied
}
