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

/** False if the browser allows neither way. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text) // over plain HTTP there is no clipboard API
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'visually-hidden'
  document.body.append(area)
  area.select()
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way without the clipboard API
  const isCopied = document.execCommand('copy')
  area.remove()
  return isCopied
}
