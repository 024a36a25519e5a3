import { limits } from '@einvoicing/domain/limits'
import { NativeSelect, TextInput } from '@mantine/core'
import { useTexts } from '../i18n/texts'
import { moreFields, type MoreField } from './draft'
import { inputProps, type DraftFormState } from './draft-state'
import classes from './editor.module.css'

const lengthMax: Partial<Record<MoreField, number>> = {
  buyerCity: limits.buyerCityLength,
  buyerCountry: 2,
  buyerIf: 20,
  note: limits.noteLength,
  buyerReference: limits.buyerReferenceLength,
  contractNumber: limits.contractNumberLength,
  deliveryNoteNumber: limits.deliveryNoteNumberLength,
  deliveryAddress: limits.deliveryAddressLength,
  deliveryCountry: 2,
  paymentTerms: limits.paymentTermsLength,
  paymentReference: limits.paymentReferenceLength,
}

export function MoreFields({ form }: { form: DraftFormState }) {
  const { draft } = useTexts()
  return (
    <details>
      <summary>{draft.more}</summary>
      <div className={classes['grid']}>
        {moreFields.map((name) =>
          name === 'buyerType' ? (
            <NativeSelect
              key={name}
              label={draft.buyerType}
              data={[
                { value: '', label: draft.empty },
                { value: 'BUSINESS', label: draft.buyerTypes.BUSINESS },
                { value: 'CONSUMER', label: draft.buyerTypes.CONSUMER },
              ]}
              {...inputProps(form, name)}
            />
          ) : (
            <TextInput
              key={name}
              label={draft[name]}
              type={name === 'deliveryDate' ? 'date' : 'text'}
              {...(lengthMax[name] !== undefined && { maxLength: lengthMax[name] })}
              {...inputProps(form, name)}
            />
          ),
        )}
        <TextInput
          label={draft.prepaidAmount}
          inputMode="decimal"
          {...inputProps(form, 'prepaidAmount')}
        />
      </div>
    </details>
  )
}
