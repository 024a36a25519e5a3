import { limits } from '@einvoicing/domain/limits'
import { defaultExemptionReason, vatRates } from '@einvoicing/profile/vat'
import { memo, type ReactNode } from 'react'
import { useFormats } from '../i18n/formats'
import { useLanguage, useTexts } from '../i18n/texts'
import { Icon, type IconName } from '../components/icon'
import type { TypedLine, TypedLineFields } from './draft'
import type { LineActions, LineErrors } from './draft-state'
import classes from './lines.module.css'
import { previewLineAmount } from './preview-totals'

export interface LineRowProps {
  line: TypedLine
  index: number
  isLast: boolean
  currency: string
  errors: LineErrors | undefined
  actions: Pick<LineActions, 'change' | 'remove' | 'move'>
}

/** Plain inputs: 2,000 lines of Mantine's take seconds to draw. */
export const LineRow = memo(function LineRow(props: LineRowProps) {
  const { draft } = useTexts()
  const { line, index } = props
  return (
    <div className={classes['line']} role="group" aria-label={draft.line(index + 1)}>
      <span className={classes['number']} aria-hidden="true">
        {index + 1}
      </span>
      <LineInput {...props} name="description" list="articles" dir="auto" className="description" />
      <LineInput {...props} name="quantity" inputMode="decimal" />
      <LineInput {...props} name="unit" dir="auto" />
      <LineInput {...props} name="unitPrice" inputMode="decimal" />
      <VatRate {...props} />
      <Amount line={line} currency={props.currency} />
      <Buttons {...props} />
      {line.vatRate === '0' && (
        <LineInput
          {...props}
          name="vatExemptionReason"
          placeholder={defaultExemptionReason}
          className="exemption"
        />
      )}
    </div>
  )
})

const lengths: Partial<Record<keyof TypedLineFields, number>> = {
  description: limits.lineDescriptionLength,
  unit: limits.lineUnitLength,
  vatExemptionReason: limits.vatExemptionReasonLength,
}

interface LineInputProps extends LineRowProps {
  name: keyof TypedLineFields
  list?: string
  dir?: 'auto'
  inputMode?: 'decimal'
  placeholder?: string
  className?: string
}

function LineInput(props: LineInputProps) {
  const { line, index, errors, actions, name, className = '', ...input } = props
  const { list, dir, inputMode, placeholder } = input
  const error = errors?.[name]
  return (
    <Field {...{ line, name, error, className }}>
      <input
        className={classes['input']}
        data-path={`lines.${index}.${name}`}
        value={line[name]}
        maxLength={lengths[name]}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${line.key}-${name}` : undefined}
        autoComplete="off"
        {...{ list, dir, inputMode, placeholder }}
        onChange={({ currentTarget }) => actions.change(index, { [name]: currentTarget.value })}
      />
    </Field>
  )
}

interface FieldProps {
  line: TypedLine
  name: keyof TypedLineFields
  error: ReactNode
  className: string
  children: ReactNode
}

function Field({ line, name, error, className, children }: FieldProps) {
  const { draft } = useTexts()
  const label = name === 'vatExemptionReason' ? draft.exemption : draft[name]
  return (
    <div className={classes[className]}>
      <label className={classes['field']}>
        <span className={classes['label']}>{label}</span>
        {children}
      </label>
      {error !== undefined && (
        <span id={`${line.key}-${name}`} className={classes['error']}>
          {error}
        </span>
      )}
    </div>
  )
}

function VatRate({ line, index, errors, actions }: LineRowProps) {
  const formats = useFormats()
  const error = errors?.vatRate
  return (
    <Field {...{ line, error }} name="vatRate" className="">
      <select
        className={classes['input']}
        data-path={`lines.${index}.vatRate`}
        value={line.vatRate}
        onChange={({ currentTarget }) => actions.change(index, { vatRate: currentTarget.value })}
      >
        {vatRates.toReversed().map((rate) => (
          <option key={rate} value={String(rate)}>
            {formats.percent(rate / 100)}
          </option>
        ))}
      </select>
    </Field>
  )
}

function Amount({ line, currency }: Pick<LineRowProps, 'line' | 'currency'>) {
  const { language, texts } = useLanguage()
  const formats = useFormats()
  const amount = previewLineAmount(line, currency, language)
  return (
    <div className={classes['amount']}>
      <span className={classes['label']}>{texts.draft.amount}</span>
      {amount === undefined ? '–' : formats.minorUnits(amount, currency)}
    </div>
  )
}

function Buttons({ index, isLast, actions }: LineRowProps) {
  const { draft } = useTexts()
  return (
    <div className={classes['buttons']}>
      <LineButton
        icon="chevronUp"
        label={draft.up(index + 1)}
        isOff={index === 0}
        onClick={() => actions.move(index, index - 1)}
      />
      <LineButton
        icon="chevronDown"
        label={draft.down(index + 1)}
        isOff={isLast}
        onClick={() => actions.move(index, index + 1)}
      />
      <LineButton
        icon="trash"
        label={draft.remove(index + 1)}
        isOff={isLast && index === 0}
        onClick={() => actions.remove(index)}
      />
    </div>
  )
}

interface LineButtonProps {
  icon: IconName
  label: string
  isOff: boolean
  onClick(): void
}

function LineButton({ icon, label, isOff, onClick }: LineButtonProps) {
  return (
    <button
      type="button"
      className={classes['button']}
      aria-label={label}
      disabled={isOff}
      onClick={onClick}
    >
      <Icon name={icon} size={16} />
    </button>
  )
}
