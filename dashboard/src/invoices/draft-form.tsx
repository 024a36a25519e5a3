import { currencies } from '@einvoicing/domain/currency'
import { invoiceTypes, type InvoiceType } from '@einvoicing/domain/invoice-types'
import { limits } from '@einvoicing/domain/limits'
import { readKind } from '@einvoicing/profile/document-kinds'
import { paymentMethods } from '@einvoicing/profile/payment-methods'
import { Button, NativeSelect, Text, TextInput } from '@mantine/core'
import { useDeferredValue, useMemo, useState } from 'react'
import { useLanguage, useTexts } from '../i18n/texts'
import { FormErrors } from '../components/form-errors'
import { SaveBar } from '../components/save-bar'
import type { FormSaving } from '../components/saving'
import { BuyerFields } from './buyer-fields'
import { DocumentAdjustments } from './document-adjustments'
import { createReference, type TypedDraft } from './draft'
import { DraftLines } from './draft-lines'
import { inputProps, type DraftFormState } from './draft-state'
import classes from './editor.module.css'
import { ExistingInvoice, isNumberTaken } from './existing-invoice'
import { MoreFields } from './more-fields'
import { NumberField } from './number-field'
import { useFormPreview } from './pdf-preview'
import { previewTotals } from './preview-totals'
import { CorrectionFields } from './references-fields'
import { DocumentTotalsTable } from './totals-table'

export interface DraftFormProps {
  form: DraftFormState
  saving: FormSaving
  /** Set by the button that was pressed, before the form is submitted. */
  onIntent(intent: SaveIntent): void
  isNew?: boolean
  isBlocked?: boolean
}

export type SaveIntent = 'save' | 'sign'

export function DraftForm(props: DraftFormProps) {
  const { form, saving, onIntent, isNew = false, isBlocked = false } = props
  const { credit, draft } = useTexts()
  const preview = useFormPreview(form)
  const [pressed, setPressed] = useState<Pressed>('save')
  const press = (button: Pressed) => {
    setPressed(button)
    if (button === 'preview') preview.draw()
    else onIntent(button)
  }
  return (
    <form onSubmit={saving.onSubmit} noValidate className={classes['form']}>
      <section className="panel">
        <h2 className={classes['heading']}>{draft.document}</h2>
        <DocumentFields form={form} isNew={isNew} />
      </section>
      {form.values.type === 'CREDIT_NOTE' && (
        <section className="panel">
          <h2 className={classes['heading']}>{credit.corrected}</h2>
          <CorrectionFields form={form} />
        </section>
      )}
      <section className="panel">
        <h2 className={classes['heading']}>{draft.buyer}</h2>
        <BuyerFields form={form} />
      </section>
      <section className="panel">
        <h2 className={classes['heading']}>{draft.lines}</h2>
        <DraftLines
          lines={form.values.lines}
          currency={form.values.currency}
          errors={form.errors.lines}
          actions={form.lines}
        />
      </section>
      <section className="panel">
        <DocumentAdjustments form={form} />
      </section>
      <section className="panel">
        <MoreFields form={form} />
      </section>
      <section className="panel">
        <h2 className={classes['heading']}>{draft.preview}</h2>
        <Preview values={form.values} />
      </section>
      <SaveBar
        errors={
          <FormErrors saving={pressed === 'preview' ? preview : saving}>
            {isNumberTaken(saving.error) ? (
              <ExistingInvoice number={form.values.invoiceNumber.trim()} />
            ) : undefined}
          </FormErrors>
        }
      >
        <SaveButtons
          isSaving={saving.isSaving}
          isDrawing={preview.isSaving}
          isBlocked={isBlocked}
          onPress={press}
        />
        <Text size="sm" c="dimmed" role="status">
          {form.isDirty ? draft.unsaved : draft.thenSign}
        </Text>
      </SaveBar>
      {preview.dialog}
    </form>
  )
}

type Pressed = SaveIntent | 'preview'

interface SaveButtonsProps {
  isSaving: boolean
  isDrawing: boolean
  isBlocked: boolean
  onPress(button: Pressed): void
}

function SaveButtons({ isSaving, isDrawing, isBlocked, onPress }: SaveButtonsProps) {
  const { draft, invoice } = useTexts()
  return (
    <>
      <Button type="submit" loading={isSaving} disabled={isBlocked} onClick={() => onPress('save')}>
        {draft.save}
      </Button>
      <Button
        type="submit"
        variant="default"
        disabled={isBlocked || isSaving}
        onClick={() => onPress('sign')}
      >
        {draft.saveAndSign}
      </Button>
      <Button variant="subtle" loading={isDrawing} onClick={() => onPress('preview')}>
        {invoice.preview}
      </Button>
    </>
  )
}

const usualCurrencies = ['MAD', 'EUR', 'USD', 'GBP', 'TND', 'XOF', 'JPY']
const offeredCurrencies = [...new Set([...usualCurrencies, ...currencies])]

function DocumentFields({ form, isNew }: { form: DraftFormState; isNew: boolean }) {
  const { draft, invoice } = useTexts()
  return (
    <div className={classes['grid']}>
      <TypeField form={form} isNew={isNew} />
      <NumberField form={form} isNew={isNew} />
      <TextInput type="date" label={draft.date} {...inputProps(form, 'invoiceDate')} />
      <TextInput type="date" label={draft.dueDate} {...inputProps(form, 'dueDate')} />
      <NativeSelect
        label={draft.currency}
        // A stored document may have a former one.
        data={[...new Set([...offeredCurrencies, form.values.currency])]}
        {...inputProps(form, 'currency')}
      />
      <NativeSelect
        label={draft.paymentMethod}
        data={paymentMethods.map((method) => ({ value: method, label: invoice.methods[method] }))}
        {...inputProps(form, 'paymentMethod')}
      />
      <TextInput
        label={draft.purchaseOrderNumber}
        maxLength={limits.purchaseOrderNumberLength}
        {...inputProps(form, 'purchaseOrderNumber')}
      />
    </div>
  )
}

function TypeField({ form, isNew }: { form: DraftFormState; isNew: boolean }) {
  const { credit } = useTexts()
  const { precedingInvoices } = form.values
  return (
    <NativeSelect
      label={credit.documentType}
      data={invoiceTypes.map((value) => ({ value, label: credit.types[value] }))}
      disabled={!isNew}
      {...inputProps(form, 'type')}
      onChange={({ currentTarget }) =>
        form.change({
          type: currentTarget.value as InvoiceType,
          ...(currentTarget.value === 'CREDIT_NOTE' &&
            precedingInvoices.length === 0 && { precedingInvoices: [createReference()] }),
        })
      }
    />
  )
}

function Preview({ values }: { values: TypedDraft }) {
  const { language } = useLanguage()
  const settled = useDeferredValue(values)
  const totals = useMemo(() => previewTotals(settled, language), [settled, language])
  const { isPaid } = readKind(settled)
  return <DocumentTotalsTable currency={settled.currency} totals={{ ...totals, isPaid }} />
}
