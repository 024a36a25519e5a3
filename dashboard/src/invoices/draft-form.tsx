import { currencies } from '@einvoicing/domain/currency'
import { limits } from '@einvoicing/domain/limits'
import { paymentMethods } from '@einvoicing/profile/payment-methods'
import { Button, NativeSelect, Text, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useLanguage, useTexts } from '../i18n/texts'
import { ErrorAlert } from '../components/error-alert'
import type { FormSaving } from '../components/saving'
import { previewTotals, type TypedDraft } from './draft'
import { DraftLines } from './draft-lines'
import classes from './editor.module.css'
import { TotalsTable } from './totals-table'

export interface DraftFormProps {
  form: UseFormReturnType<TypedDraft>
  saving: FormSaving
  isBlocked?: boolean
}

export function DraftForm({ form, saving, isBlocked = false }: DraftFormProps) {
  const { draft } = useTexts()
  return (
    <form onSubmit={saving.onSubmit} noValidate className={classes['form']}>
      <section className="panel">
        <h2 className={classes['heading']}>{draft.document}</h2>
        <DocumentFields form={form} />
      </section>
      <section className="panel">
        <h2 className={classes['heading']}>{draft.buyer}</h2>
        <BuyerFields form={form} />
      </section>
      <section className="panel">
        <h2 className={classes['heading']}>{draft.lines}</h2>
        <DraftLines form={form} />
      </section>
      <section className="panel">
        <h2 className={classes['heading']}>{draft.preview}</h2>
        <Preview form={form} />
      </section>
      <ErrorAlert error={saving.error} />
      <div className={classes['foot']}>
        <Button type="submit" loading={saving.isSaving} disabled={isBlocked}>
          {draft.save}
        </Button>
        <Text size="sm" c="dimmed" role="status">
          {form.isDirty() ? draft.unsaved : draft.thenSign}
        </Text>
      </div>
    </form>
  )
}

// Those of most invoices come first.
const usualCurrencies = ['MAD', 'EUR', 'USD', 'GBP', 'TND', 'XOF', 'JPY']
const offeredCurrencies = [...new Set([...usualCurrencies, ...currencies])]

type FieldsProps = Pick<DraftFormProps, 'form'>

function DocumentFields({ form }: FieldsProps) {
  const { draft, invoice } = useTexts()
  return (
    <div className={classes['grid']}>
      <TextInput
        label={draft.number}
        description={draft.numberHint}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        maxLength={limits.invoiceNumberLength}
        {...form.getInputProps('invoiceNumber')}
      />
      <TextInput type="date" label={draft.date} {...form.getInputProps('invoiceDate')} />
      <TextInput type="date" label={draft.dueDate} {...form.getInputProps('dueDate')} />
      <NativeSelect
        label={draft.currency}
        data={offeredCurrencies}
        {...form.getInputProps('currency')}
      />
      <NativeSelect
        label={draft.paymentMethod}
        data={paymentMethods.map((method) => ({ value: method, label: invoice.methods[method] }))}
        {...form.getInputProps('paymentMethod')}
      />
    </div>
  )
}

function BuyerFields({ form }: FieldsProps) {
  const { draft } = useTexts()
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {draft.buyerHint}
      </Text>
      <div className={classes['grid']}>
        <TextInput
          label={draft.buyerName}
          maxLength={limits.buyerNameLength}
          {...form.getInputProps('buyerName')}
        />
        <TextInput
          label={draft.buyerIce}
          inputMode="numeric"
          placeholder="001234567000089"
          {...form.getInputProps('buyerIce')}
        />
        <TextInput
          label={draft.purchaseOrderNumber}
          maxLength={limits.purchaseOrderNumberLength}
          {...form.getInputProps('purchaseOrderNumber')}
        />
        <Textarea
          label={draft.buyerAddress}
          rows={2}
          maxLength={limits.buyerAddressLength}
          {...form.getInputProps('buyerAddress')}
        />
      </div>
    </>
  )
}

function Preview({ form: { values } }: FieldsProps) {
  const { language } = useLanguage()
  return <TotalsTable currency={values.currency} totals={previewTotals(values, language)} />
}
