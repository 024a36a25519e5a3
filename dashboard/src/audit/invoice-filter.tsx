import { useCallbackRef } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useInvoice } from '../api/invoice'
import { listInvoices } from '../api/invoices'
import { useTexts } from '../i18n/texts'
import { describeError } from '../components/error-alert'
import { TypedInput } from '../components/typed-input'

const settledMs = 400

export interface InvoiceFilterProps {
  invoiceId: string
  onInvoice(id: string): void
}

export function InvoiceFilter({ invoiceId, onInvoice }: InvoiceFilterProps) {
  const texts = useTexts()
  const { audit } = texts
  const chosen = useInvoice(invoiceId, invoiceId !== '')
  const [problem, setProblem] = useState<string | null>(null)
  const [foundId, setFoundId] = useState<string>()
  if (foundId !== undefined && foundId !== invoiceId) setFoundId(undefined)
  const typed = useRef<string | undefined>('')
  useEffect(
    () => () => {
      typed.current = undefined
    },
    [],
  )
  const show = useCallbackRef((id: string) => {
    // Together: what is typed meanwhile is not replaced by the number that was found.
    flushSync(() => {
      setProblem(typed.current !== '' && id === '' ? audit.noSuchInvoice : null)
      setFoundId(id)
      if (id !== invoiceId) onInvoice(id)
    })
  })
  const find = async (number: string) => {
    typed.current = number
    try {
      const { content } = number === '' ? { content: [] } : await findByNumber(number)
      if (typed.current === number) show(content[0]?.id ?? '')
    } catch (error) {
      if (typed.current === number) setProblem(describeError(error, texts))
    }
  }
  return (
    <TypedInput
      settledMs={settledMs}
      label={audit.invoiceNumber}
      value={foundId === invoiceId ? undefined : (chosen.data?.invoiceNumber ?? '')}
      error={problem}
      onTyped={(number) => void find(number)}
    />
  )
}

const findByNumber = (invoiceNumber: string) => listInvoices({ invoiceNumber, size: 1 })
