import { limits } from '@einvoicing/domain/limits'
import { vatWithholdingPercents } from '@einvoicing/profile/vat'
import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useTexts } from '../i18n/texts'
import { moreFields, partFields, type MoreField } from './draft'
import { inputProps, type DraftFormState } from './draft-state'
import classes from './editor.module.css'
import { Folded } from './folded'
import { hasFoldedField, isFoldedField } from './folded-fields'
import { References } from './references-fields'

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
  const { credit, draft } = useTexts()
  const isCreditNote = form.values.type === 'CREDIT_NOTE'
  return (
    <Folded
      label={draft.more}
      isOpenAtFirst={hasFoldedField(form.values)}
      hasErrors={Object.keys(form.errors.fields).some(isFoldedField)}
    >
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
        {partFields.map((name) => (
          <TextInput
            key={name}
            label={credit.parts[name]}
            type={name.startsWith('servicePeriod') ? 'date' : 'text'}
            {...inputProps(form, name)}
          />
        ))}
        <PaymentFields form={form} />
      </div>
      {!isCreditNote && (
        <div>
          <h3 className={classes['subheading']}>{credit.preceding}</h3>
          <References form={form} />
        </div>
      )}
    </Folded>
  )
}

function PaymentFields({ form }: { form: DraftFormState }) {
  const { credit, draft } = useTexts()
  const { type, stampDuty } = form.values
  return (
    <>
      <TextInput
        label={draft.prepaidAmount}
        inputMode="decimal"
        {...inputProps(form, 'prepaidAmount')}
      />
      <NativeSelect
        label={credit.withholding}
        data={[
          { value: '', label: credit.noWithholding },
          ...vatWithholdingPercents.map((percent) => ({
            value: String(percent),
            label: `${percent} %`,
          })),
        ]}
        {...inputProps(form, 'vatWithholdingPercent')}
      />
      {type !== 'CREDIT_NOTE' && (
        <Checkbox
          mt="lg"
          label={credit.stampDuty}
          checked={stampDuty}
          error={form.errors.fields['stampDuty']}
          data-path="stampDuty"
          onChange={({ currentTarget }) => form.change({ stampDuty: currentTarget.checked })}
        />
      )}
    </>
  )
}
