import { limits } from '@einvoicing/domain/limits'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../i18n/texts'
import { Icon } from '../components/icon'
import classes from './adjustments.module.css'
import type { FieldErrors } from './draft-state'
import lineClasses from './lines.module.css'
import { PlainField } from './plain-field'
import { createAdjustment, type AdjustmentName, type TypedAdjustment } from './typed-adjustments'

export interface Option {
  value: string
  label: string
}

export interface AdjustmentsProps {
  name: AdjustmentName
  path: string
  label: string
  items: readonly TypedAdjustment[]
  countMax: number
  currency: string
  /** Of a document; on a line they have its rate. */
  rates?: readonly Option[]
  errors: FieldErrors
  onChange(items: TypedAdjustment[]): void
}

export function Adjustments(props: AdjustmentsProps) {
  const { name, label, items, countMax, errors, onChange } = props
  const { credit } = useTexts()
  const change = (index: number, fields: Partial<TypedAdjustment>) =>
    onChange(items.map((item, at) => (at === index ? { ...item, ...fields } : item)))
  return (
    <div role="group" aria-label={label}>
      {items.map((item, index) => (
        <Row
          key={item.key}
          {...props}
          item={item}
          index={index}
          onRow={(fields) => change(index, fields)}
          onRemove={() => onChange(items.toSpliced(index, 1))}
        />
      ))}
      {errors[name] !== undefined && <span className={lineClasses['error']}>{errors[name]}</span>}
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<Icon name="plus" />}
        disabled={items.length >= countMax}
        onClick={() => onChange([...items, createAdjustment()])}
      >
        {name === 'allowances' ? credit.addAllowance : credit.addCharge}
      </Button>
    </div>
  )
}

interface RowProps extends AdjustmentsProps {
  item: TypedAdjustment
  index: number
  onRow(fields: Partial<TypedAdjustment>): void
  onRemove(): void
}

function Row({ name, path, item, index, currency, rates, errors, onRow, onRemove }: RowProps) {
  const { credit } = useTexts()
  const describe = (field: string, error: ReactNode) => ({
    id: `${item.key}-${field}`,
    error,
    label: { reason: credit.itemReason, value: credit.value }[field] ?? credit.rate,
  })
  const errorAt = (field: string) => errors[`${name}.${index}.${field}`]
  const row = `${path}.${index}`
  const reason = describe('reason', errorAt('reason'))
  const value = describe('value', errorAt(item.unit) ?? errors[`${name}.${index}`])
  const rate = describe('rate', errorAt('vatRate') ?? errorAt('vatCategory'))
  return (
    <div className={classes['row']} data-rates={rates !== undefined || undefined}>
      <PlainField {...reason} isLabelShown className={classes['reason']}>
        <input
          {...inputProps(`${row}.reason`, reason)}
          value={item.reason}
          dir="auto"
          maxLength={limits.allowanceReasonLength}
          onChange={({ currentTarget }) => onRow({ reason: currentTarget.value })}
        />
      </PlainField>
      <PlainField {...value} isLabelShown>
        <input
          {...inputProps(`${row}.${item.unit}`, value)}
          value={item.value}
          inputMode="decimal"
          onChange={({ currentTarget }) => onRow({ value: currentTarget.value })}
        />
      </PlainField>
      <PlainField label={credit.unit} id={`${item.key}-unit`} error={undefined} isLabelShown>
        <select
          className={lineClasses['input']}
          value={item.unit}
          onChange={({ currentTarget }) =>
            onRow({ unit: currentTarget.value === 'amount' ? 'amount' : 'percent' })
          }
        >
          <option value="percent">{credit.percent}</option>
          <option value="amount">{currency}</option>
        </select>
      </PlainField>
      {rates && (
        <PlainField {...rate} isLabelShown>
          <select
            {...inputProps(`${row}.vatRate ${row}.vatCategory`, rate)}
            value={item.rate}
            onChange={({ currentTarget }) => onRow({ rate: currentTarget.value })}
          >
            {rates.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
        </PlainField>
      )}
      <button
        type="button"
        className={`${lineClasses['button']} ${classes['remove']}`}
        aria-label={credit.removeItem(index + 1)}
        onClick={onRemove}
      >
        <Icon name="trash" size={16} />
      </button>
    </div>
  )
}

const inputProps = (path: string, { id, error }: { id: string; error: ReactNode }) => ({
  className: lineClasses['input'],
  'data-path': path,
  'aria-invalid': error ? true : undefined,
  'aria-describedby': error ? id : undefined,
  autoComplete: 'off',
})
