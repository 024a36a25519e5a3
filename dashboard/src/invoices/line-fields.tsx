import { limits } from '@einvoicing/domain/limits'
import { defaultExemptionReason, vatRates } from '@einvoicing/profile/vat'
import { ActionIcon, NativeSelect, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { KeyboardEvent } from 'react'
import { useFormats } from '../i18n/formats'
import { useLanguage } from '../i18n/texts'
import { Icon } from '../components/icon'
import { previewLineAmount, type TypedDraft } from './draft'
import classes from './editor.module.css'

export interface LineFieldsProps {
  form: UseFormReturnType<TypedDraft>
  index: number
  onMove(from: number, to: number): void
  onRemove(index: number): void
}

export function LineFields({ form, index, onMove, onRemove }: LineFieldsProps) {
  const {
    texts: { draft },
  } = useLanguage()
  const formats = useFormats()
  const input = (name: string) => form.getInputProps(`lines.${index}.${name}`)
  const onKey = (event: KeyboardEvent) => {
    if (!event.altKey || !/^Arrow(Up|Down)$/.test(event.key)) return
    event.preventDefault()
    onMove(index, event.key === 'ArrowUp' ? index - 1 : index + 1)
  }
  return (
    <fieldset className={classes['line']} onKeyDown={onKey}>
      <legend className="visually-hidden">{draft.line(index + 1)}</legend>
      <div className={classes['fields']}>
        <TextInput
          className={classes['description'] ?? ''}
          label={draft.description}
          maxLength={limits.lineDescriptionLength}
          {...input('description')}
        />
        <TextInput label={draft.quantity} inputMode="decimal" {...input('quantity')} />
        <TextInput label={draft.unit} maxLength={limits.lineUnitLength} {...input('unit')} />
        <TextInput label={draft.unitPrice} inputMode="decimal" {...input('unitPrice')} />
        <NativeSelect
          label={draft.vatRate}
          data={vatRates.toReversed().map((rate) => ({
            value: String(rate),
            label: formats.percent(rate / 100),
          }))}
          {...input('vatRate')}
        />
        {form.values.lines[index]?.vatRate === '0' && (
          <TextInput
            className={classes['exemption'] ?? ''}
            label={draft.exemption}
            placeholder={defaultExemptionReason}
            maxLength={limits.vatExemptionReasonLength}
            {...input('vatExemptionReason')}
          />
        )}
      </div>
      <div className={classes['lineFoot']}>
        <LineAmount form={form} index={index} />
        <LineButtons form={form} index={index} onMove={onMove} onRemove={onRemove} />
      </div>
    </fieldset>
  )
}

function LineAmount({ form, index }: Pick<LineFieldsProps, 'form' | 'index'>) {
  const { language, texts } = useLanguage()
  const formats = useFormats()
  const { lines, currency } = form.values
  const line = lines[index]
  const amount = line && previewLineAmount(line, currency, language)
  return (
    <Text size="sm" className={classes['amount'] ?? ''}>
      <Text span size="xs" c="dimmed">
        {texts.draft.amount}{' '}
      </Text>
      {amount === undefined ? '–' : formats.minorUnits(amount, currency)}
    </Text>
  )
}

function LineButtons({ form, index, onMove, onRemove }: LineFieldsProps) {
  const {
    texts: { draft },
  } = useLanguage()
  const count = form.values.lines.length
  return (
    <div className={classes['buttons']}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        disabled={index === 0}
        aria-label={draft.up(index + 1)}
        onClick={() => onMove(index, index - 1)}
      >
        <span className={classes['up']}>
          <Icon name="chevronDown" />
        </span>
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        disabled={index === count - 1}
        aria-label={draft.down(index + 1)}
        onClick={() => onMove(index, index + 1)}
      >
        <Icon name="chevronDown" />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="red"
        size="lg"
        disabled={count === 1}
        aria-label={draft.remove(index + 1)}
        onClick={() => onRemove(index)}
      >
        <Icon name="trash" />
      </ActionIcon>
    </div>
  )
}
