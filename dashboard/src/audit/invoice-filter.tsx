import { useCallbackRef } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useInvoice } from '../api/invoice'
import { listInvoices } from '../api/invoices'
import { useTexts } from '../i18n/texts'
import { TypedInput } from '../components/typed-input'

const settledMs = 400

export interface InvoiceFilterProps {
  invoiceId: string
  onInvoice(id: string): void
}

export function InvoiceFilter({ invoiceId, onInvoice }: InvoiceFilterProps) {
  const { audit } = useTexts()
  const chosen = useInvoice(invoiceId, invoiceId !== '')
  const [isUnknown, setIsUnknown] = useState(false)
  const [foundId, setFoundId] = useState<string>()
  if (foundId !== undefined && foundId !== invoiceId) setFoundId(undefined)
  const typed = useRef('')
  const show = useCallbackRef((id: string) => {
    // Together: what is typed meanwhile is not replaced by the number that was found.
    flushSync(() => {
      setIsUnknown(typed.current !== '' && id === '')
      setFoundId(id)
      if (id !== invoiceId) onInvoice(id)
    })
  })
  const find = async (number: string) => {
    typed.current = number
    const { content } = number === '' ? { content: [] } : await findByNumber(number)
    if (typed.current === number) show(content[0]?.id ?? '')
  }
  return (
    <TypedInput
      settledMs={settledMs}
      label={audit.invoiceNumber}
      value={foundId === invoiceId ? undefined : (chosen.data?.invoiceNumber ?? '')}
      error={isUnknown ? audit.noSuchInvoice : null}
      onTyped={(number) => void find(number).catch(() => undefined)}
    />
  )
}

const findByNumber = (invoiceNumber: string) => listInvoices({ invoiceNumber, size: 1 })
