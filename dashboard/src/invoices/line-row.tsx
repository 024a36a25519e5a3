import { knownVatRates, vatCategories, vatRates, type VatCategory } from '@einvoicing/profile/vat'
import { memo, useState } from 'react'
import { useFormats } from '../i18n/formats'
import { useLanguage, useTexts } from '../i18n/texts'
import { Icon, type IconName } from '../components/icon'
import { isVatRate } from './draft'
import type { LineActions, LineErrors } from './draft-state'
import { hasDetails, LineDetails } from './line-details'
import { LineInput, type LineFieldsProps } from './line-input'
import classes from './lines.module.css'
import { PlainField } from './plain-field'
import { previewLineAmount } from './preview-totals'

export interface LineRowProps extends LineFieldsProps {
  isLast: boolean
  actions: Pick<LineActions, 'change' | 'remove' | 'move'>
}

/** Plain inputs: 2,000 lines of Mantine's take seconds to draw. */
export const LineRow = memo(function LineRow(props: LineRowProps) {
  const { draft } = useTexts()
  const { line, index, errors } = props
  const [isOpen, setIsOpen] = useState(() => hasDetails(line))
  const isShown = isOpen || hasDetailErrors(errors)
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
      <Buttons {...props} isOpen={isShown} onToggle={() => setIsOpen(!isShown)} />
      {line.vatRate === '0' && <Exemption {...props} />}
      {isShown && <LineDetails {...props} />}
    </div>
  )
})

const detailErrors = /^(allowances|charges|itemCode|orderLineNumber|note|servicePeriod)/

const hasDetailErrors = (errors: LineErrors | undefined): boolean =>
  errors !== undefined && Object.keys(errors).some((path) => detailErrors.test(path))

function Exemption(props: LineRowProps) {
  const { line, index, errors, actions } = props
  const { credit } = useTexts()
  const error = errors?.['vatCategory']
  const id = `${line.key}-vatCategory`
  const category = (line.vatCategory || 'E') as VatCategory
  return (
    <div className={classes['exemption']}>
      <PlainField label={credit.vatCategory} isLabelShown id={id} error={error}>
        <select
          className={classes['input']}
          data-path={`lines.${index}.vatCategory`}
          value={category}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? id : undefined}
          onChange={({ currentTarget }) =>
            actions.change(index, { vatCategory: currentTarget.value })
          }
        >
          {Object.entries(credit.vatCategories).map(([code, label]) => (
            <option key={code} value={code}>
              {label}
            </option>
          ))}
        </select>
      </PlainField>
      <LineInput
        {...props}
        name="vatExemptionReason"
        placeholder={vatCategories[category].exemption}
        isLabelShown
      />
    </div>
  )
}

function VatRate({ line, index, errors, actions }: LineRowProps) {
  const formats = useFormats()
  const { draft } = useTexts()
  const error = errors?.['vatRate']
  const id = `${line.key}-vatRate`
  // A credit note has the rate of its original, which may be a former one.
  const known = vatRates.some((rate) => String(rate) === line.vatRate) ? vatRates : knownVatRates
  return (
    <PlainField label={draft.vatRate} id={id} error={error}>
      <select
        className={classes['input']}
        data-path={`lines.${index}.vatRate`}
        value={line.vatRate}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? id : undefined}
        onChange={({ currentTarget }) => actions.change(index, { vatRate: currentTarget.value })}
      >
        {!isVatRate(line.vatRate) && <option>{line.vatRate}</option>}
        {known.toReversed().map((rate) => (
          <option key={rate} value={String(rate)}>
            {formats.percent(rate / 100)}
          </option>
        ))}
      </select>
    </PlainField>
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

interface ButtonsProps extends LineRowProps {
  isOpen: boolean
  onToggle(): void
}

function Buttons({ index, isLast, actions, isOpen, onToggle }: ButtonsProps) {
  const { credit, draft } = useTexts()
  return (
    <div className={classes['buttons']}>
      <LineButton
        icon="more"
        label={credit.lineMore(index + 1)}
        isOpen={isOpen}
        onClick={onToggle}
      />
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
  isOff?: boolean
  isOpen?: boolean
  onClick(): void
}

function LineButton({ icon, label, isOff = false, isOpen, onClick }: LineButtonProps) {
  return (
    <button
      type="button"
      className={classes['button']}
      aria-label={label}
      aria-expanded={isOpen}
      disabled={isOff}
      onClick={onClick}
    >
      <Icon name={icon} size={16} />
    </button>
  )
}
