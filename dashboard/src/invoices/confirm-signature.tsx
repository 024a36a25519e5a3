import { Alert, Checkbox, Text } from '@mantine/core'
import { useState } from 'react'
import type { Invoice } from '../api/invoice'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { Confirm, type ConfirmProps } from '../components/confirm'
import { Icon } from '../components/icon'
import { isUnusualDate } from './draft'

export interface ConfirmSignatureProps extends Pick<
  ConfirmProps,
  'saving' | 'onConfirm' | 'onClose'
> {
  invoice: Invoice
}

export function ConfirmSignature({ invoice, ...confirm }: ConfirmSignatureProps) {
  const { invoice: texts } = useTexts()
  const formats = useFormats()
  const [isDateMeant, setIsDateMeant] = useState(false)
  const isUnusual = isUnusualDate(invoice.invoiceDate, new Date())
  return (
    <Confirm
      isOpen
      title={texts.signTitle(invoice.invoiceNumber)}
      action={texts.sign}
      color="indigo"
      isBlocked={isUnusual && !isDateMeant}
      {...confirm}
    >
      <Text size="sm">{texts.signHint(formats.amount(invoice.amountTtc, invoice.currency))}</Text>
      {isUnusual && (
        <Alert color="orange" icon={<Icon name="alert" />} variant="light">
          <Text size="sm" mb="xs">
            {texts.unusualDate(formats.date(invoice.invoiceDate))}
          </Text>
          <Checkbox
            label={texts.dateIsMeant}
            checked={isDateMeant}
            onChange={({ currentTarget }) => setIsDateMeant(currentTarget.checked)}
          />
        </Alert>
      )}
    </Confirm>
  )
}
