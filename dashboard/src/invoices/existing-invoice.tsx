import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ServiceError } from '../api/connection'
import { listInvoices } from '../api/invoices'
import { useTexts } from '../i18n/texts'

/** Opens a new tab, so that the form stays. */
export function ExistingInvoice({ number }: { number: string }) {
  const { errors } = useTexts()
  const { data: id } = useQuery({
    queryKey: ['numbered', number],
    queryFn: async ({ signal }) => {
      const { content } = await listInvoices({ invoiceNumber: number, size: 1 }, signal)
      return content[0]?.id ?? null
    },
    enabled: number !== '',
  })
  if (!id) return undefined
  return (
    <Anchor href={`/dashboard/invoices/${id}`} target="_blank" size="sm">
      {errors.toInvoice(number)}
    </Anchor>
  )
}

export const isNumberTaken = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'INVOICE_NUMBER_EXISTS'
