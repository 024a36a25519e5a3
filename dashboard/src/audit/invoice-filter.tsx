import { useState } from 'react'
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
  const find = async (number: string) => {
    const { content } = number === '' ? { content: [] } : await findByNumber(number)
    const id = content[0]?.id ?? ''
    setIsUnknown(number !== '' && id === '')
    if (id !== invoiceId) onInvoice(id)
  }
  return (
    <TypedInput
      settledMs={settledMs}
      label={audit.invoiceNumber}
      value={invoiceId === '' ? '' : (chosen.data?.invoiceNumber ?? '')}
      error={isUnknown ? audit.noSuchInvoice : null}
      onTyped={(number) => void find(number).catch(() => undefined)}
    />
  )
}

const findByNumber = (invoiceNumber: string) => listInvoices({ invoiceNumber, size: 1 })
