import { limits } from '@einvoicing/domain/limits'
import { useTexts } from '../i18n/texts'
import { Adjustments } from './adjustments'
import type { TypedLine } from './draft'
import { LineInput, type LineFieldsProps } from './line-input'
import classes from './lines.module.css'
import { adjustmentNames } from './typed-adjustments'

const texts = ['itemCode', 'orderLineNumber', 'note'] as const
const dates = ['servicePeriod.from', 'servicePeriod.to'] as const

export const hasDetails = (line: TypedLine): boolean =>
  adjustmentNames.some((name) => line[name].length > 0) ||
  [...texts, ...dates].some((name) => line[name] !== '')

export function LineDetails(props: LineFieldsProps) {
  const { line, index, errors = {}, actions, currency } = props
  const { draft } = useTexts()
  return (
    <div className={classes['details']}>
      {adjustmentNames.map((name) => (
        <Adjustments
          key={name}
          name={name}
          path={`lines.${index}.${name}`}
          items={line[name]}
          countMax={limits.lineAllowanceCount}
          label={`${draft.line(index + 1)}, ${draft[name]}`}
          onChange={(items) => actions.change(index, { [name]: items })}
          currency={currency}
          errors={errors}
        />
      ))}
      <div className={classes['more']}>
        {texts.map((name) => (
          <LineInput key={name} {...props} name={name} dir="auto" isLabelShown />
        ))}
        {dates.map((name) => (
          <LineInput key={name} {...props} name={name} type="date" isLabelShown />
        ))}
      </div>
    </div>
  )
}
