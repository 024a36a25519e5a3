import { ActionIcon, Button, type ButtonProps } from '@mantine/core'
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
  const [isCopied, copyNow] = useCopied(text)
  return (
    <Button
      variant="default"
      leftSection={<Icon name={isCopied ? 'check' : 'copy'} />}
      onClick={copyNow}
      {...props}
    >
      <span aria-live="polite">{isCopied ? texts.frame.copied : (label ?? texts.frame.copy)}</span>
    </Button>
  )
}

export function CopyIcon({ text, label }: { text: string; label: string }) {
  const { frame } = useTexts()
  const [isCopied, copyNow] = useCopied(text)
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      aria-label={isCopied ? frame.copied : frame.copyOf(label)}
      title={frame.copyOf(label)}
      onClick={copyNow}
    >
      <Icon name={isCopied ? 'check' : 'copy'} size={14} />
    </ActionIcon>
  )
}

function useCopied(text: string): [isCopied: boolean, copyNow: () => void] {
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setIsCopied(false), copiedForMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  return [isCopied, () => void copy(text).then(setIsCopied)]
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
  // oxlint-disable-next-line typescript/no-deprecated -- the only way without the clipboard API
  const isCopied = document.execCommand('copy')
  area.remove()
  return isCopied
}
