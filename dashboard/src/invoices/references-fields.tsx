import { limits } from '@einvoicing/domain/limits'
import { ActionIcon, Button, Text, Textarea, TextInput } from '@mantine/core'
import { useTexts } from '../i18n/texts'
import { Icon } from '../components/icon'
import { createReference, type TypedReference } from './draft'
import { inputProps, type DraftFormState } from './draft-state'
import classes from './editor.module.css'
import { Remainder } from './remainder'

export function CorrectionFields({ form }: { form: DraftFormState }) {
  const { credit } = useTexts()
  return (
    <>
      <Textarea
        label={credit.reason}
        description={credit.reasonHint}
        rows={2}
        mb="sm"
        maxLength={limits.correctionReasonLength}
        {...inputProps(form, 'correctionReason')}
        dir="auto"
      />
      <References form={form} />
      <Remainder values={form.values} />
    </>
  )
}

export function References({ form }: { form: DraftFormState }) {
  const { credit } = useTexts()
  const { type, precedingInvoices } = form.values
  const set = (references: TypedReference[]) => form.change({ precedingInvoices: references })
  const remove = (index: number) => {
    const left = precedingInvoices.toSpliced(index, 1)
    // A credit note needs one, and its error a field to be shown at.
    set(type === 'CREDIT_NOTE' && left.length === 0 ? [createReference()] : left)
  }
  return (
    <div>
      {precedingInvoices.map((reference, index) => (
        <Reference
          key={reference.key}
          form={form}
          reference={reference}
          index={index}
          onChange={(fields) =>
            set(precedingInvoices.with(index, { ...reference, ...fields, id: null }))
          }
          onRemove={() => remove(index)}
        />
      ))}
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<Icon name="plus" />}
        disabled={precedingInvoices.length >= limits.precedingInvoiceCount}
        onClick={() => set([...precedingInvoices, createReference()])}
      >
        {credit.addReference}
      </Button>
      <Text size="xs" c="dimmed" className={classes['hint'] ?? ''}>
        {credit.referenceHint}
      </Text>
    </div>
  )
}

interface ReferenceProps {
  form: DraftFormState
  reference: TypedReference
  index: number
  onChange(fields: Partial<TypedReference>): void
  onRemove(): void
}

function Reference({ form, reference, index, onChange, onRemove }: ReferenceProps) {
  const { credit } = useTexts()
  const path = `precedingInvoices.${index}`
  const { fields } = form.errors
  const of = (name: 'invoiceNumber' | 'invoiceDate') => ({
    value: reference[name],
    error: fields[`${path}.${name}`],
    'data-path': `${path}.${name}`,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      onChange({ [name]: currentTarget.value }),
  })
  const number = of('invoiceNumber')
  const whole = fields[`${path}.id`] ?? fields[path] ?? (index === 0 && fields['precedingInvoices'])
  return (
    <div className={classes['reference']} role="group" aria-label={credit.reference(index + 1)}>
      <TextInput
        label={credit.referenceNumber}
        maxLength={limits.invoiceNumberLength}
        {...number}
        data-path={`${path}.invoiceNumber ${path}.id`}
        error={number.error ?? whole}
      />
      <TextInput type="date" label={credit.referenceDate} {...of('invoiceDate')} />
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={credit.removeReference(index + 1)}
        onClick={onRemove}
      >
        <Icon name="trash" size={16} />
      </ActionIcon>
    </div>
  )
}
