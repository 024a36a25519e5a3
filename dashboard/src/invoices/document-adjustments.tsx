import { limits } from '@einvoicing/domain/limits'
import { vatRates } from '@einvoicing/profile/vat'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { Adjustments, type Option } from './adjustments'
import type { DraftFormState } from './draft-state'
import { Folded } from './folded'
import { adjustmentNames, readRate } from './typed-adjustments'

export function DocumentAdjustments({ form }: { form: DraftFormState }) {
  const { credit } = useTexts()
  const { values, errors } = form
  const rates = useRates(form)
  const used = adjustmentNames.some((name) => values[name].length > 0)
  return (
    <Folded
      label={credit.adjustments}
      isOpenAtFirst={used}
      hasErrors={Object.keys(errors.fields).some((path) => /^(allowances|charges)/.test(path))}
    >
      {adjustmentNames.map((name) => (
        <Adjustments
          key={name}
          name={name}
          rates={rates}
          path={name}
          label={credit[name]}
          items={values[name]}
          countMax={limits.allowanceCount}
          currency={values.currency}
          errors={errors.fields}
          onChange={(items) => form.change({ [name]: items })}
        />
      ))}
    </Folded>
  )
}

/** Those of invoices, and those already chosen. */
function useRates({ values }: DraftFormState): Option[] {
  const { credit } = useTexts()
  const formats = useFormats()
  const zero = Object.keys(credit.vatCategories).map((category) => `0 ${category}`)
  const usual = vatRates.toReversed().flatMap((rate) => (rate === 0 ? zero : String(rate)))
  const chosen = [...values.allowances, ...values.charges].map(({ rate }) => rate)
  const toLabel = (rate: string) => {
    const { vatRate, vatCategory } = readRate(rate)
    const names: Readonly<Record<string, string>> = credit.vatCategories
    const percent = vatRate === null ? '' : formats.percent(vatRate / 100)
    return `${percent} ${vatCategory === null ? '' : (names[vatCategory] ?? vatCategory)}`.trim()
  }
  const rates = [...new Set([...usual, ...chosen.filter((rate) => rate !== '')])]
  return [
    { value: '', label: credit.anyRate },
    ...rates.map((rate) => ({ value: rate, label: toLabel(rate) })),
  ]
}
