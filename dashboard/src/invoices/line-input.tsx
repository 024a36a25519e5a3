import { limits } from '@einvoicing/domain/limits'
import { useTexts } from '../i18n/texts'
import type { LineText, TypedLine } from './draft'
import { labelLineField } from './draft-labels'
import type { LineActions, LineErrors } from './draft-state'
import classes from './lines.module.css'
import { PlainField } from './plain-field'

const lengths: Partial<Record<LineText, number>> = {
  description: limits.lineDescriptionLength,
  unit: limits.lineUnitLength,
  vatExemptionReason: limits.vatExemptionReasonLength,
  itemCode: limits.itemCodeLength,
  orderLineNumber: limits.orderLineNumberLength,
  note: limits.lineNoteLength,
}

export interface LineFieldsProps {
  line: TypedLine
  index: number
  currency: string
  errors: LineErrors | undefined
  actions: Pick<LineActions, 'change'>
}

interface LineInputProps extends LineFieldsProps {
  name: LineText
  type?: 'date'
  list?: string
  dir?: 'auto'
  inputMode?: 'decimal'
  placeholder?: string | undefined
  className?: string
  isLabelShown?: boolean
}

export function LineInput(props: LineInputProps) {
  const { line, index, errors, actions, name, className, isLabelShown = false } = props
  const { type, list, dir, inputMode, placeholder } = props
  const texts = useTexts()
  const error = errors?.[name] ?? errors?.[name.replace(/\.[^.]*$/, '')]
  const id = `${line.key}-${name}`
  return (
    <PlainField
      label={labelLineField(name, texts)}
      className={className && classes[className]}
      id={id}
      error={error}
      isLabelShown={isLabelShown}
    >
      <input
        className={classes['input']}
        data-path={`lines.${index}.${name}`}
        value={line[name]}
        maxLength={lengths[name]}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? id : undefined}
        autoComplete="off"
        type={type}
        list={list}
        dir={dir}
        inputMode={inputMode}
        placeholder={placeholder}
        onChange={({ currentTarget }) => actions.change(index, { [name]: currentTarget.value })}
      />
    </PlainField>
  )
}
