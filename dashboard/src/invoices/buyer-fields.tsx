import { isIce } from '@einvoicing/domain/legal-mentions'
import { limits } from '@einvoicing/domain/limits'
import { hasCheckKey } from '@einvoicing/profile/bank-account'
import { Text, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useKnownBuyers, type KnownBuyer } from '../api/suggestions'
import { useTexts } from '../i18n/texts'
import { useSettledFields } from '../components/settled-fields'
import { inputProps, type DraftFormState } from './draft-state'
import classes from './editor.module.css'

const settledMs = 250

export function BuyerFields({ form }: { form: DraftFormState }) {
  const { draft, mentions } = useTexts()
  const { buyerName, buyerIce } = form.values
  const [typed] = useDebouncedValue(buyerName || buyerIce.replace(/\s/g, ''), settledMs)
  const buyers = useKnownBuyers(typed)
  const settled = useSettledFields(({ dataset: { path = '' }, value }) => {
    const fields = { ...form.values, [path]: value }
    if (fields.buyerAddress) return
    const [known, another] = buyers.filter((buyer) => isBuyer(buyer, fields))
    if (known && !another) form.change(toFields(known))
  })
  const ice = buyerIce.replace(/\s/g, '')
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {draft.buyerHint}
      </Text>
      <div className={classes['grid']} {...settled}>
        <TextInput
          label={draft.buyerName}
          maxLength={limits.buyerNameLength}
          {...inputProps(form, 'buyerName')}
          dir="auto"
          list="buyer-names"
          autoComplete="off"
        />
        <TextInput
          label={draft.buyerIce}
          inputMode="numeric"
          placeholder="001234567000089"
          {...inputProps(form, 'buyerIce')}
          list="buyer-ices"
          autoComplete="off"
          description={isIce(ice) && !hasCheckKey(ice) ? mentions.errors.iceKey : undefined}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
        />
        <Textarea
          label={draft.buyerAddress}
          rows={2}
          maxLength={limits.buyerAddressLength}
          {...inputProps(form, 'buyerAddress')}
          dir="auto"
        />
      </div>
      <BuyerLists buyers={buyers} />
    </>
  )
}

type Buyer = Record<'buyerName' | 'buyerIce' | 'buyerAddress', string>

/** Not one of the same name with another ICE. */
const isBuyer = (
  known: KnownBuyer,
  { buyerName, buyerIce }: Pick<Buyer, 'buyerName' | 'buyerIce'>,
): boolean => {
  const ice = buyerIce.replace(/\s/g, '')
  const isSameName = buyerName === '' || buyerName === known.buyerName
  const isSameIce = ice === '' || ice === known.buyerIce
  return isSameName && isSameIce
}

const toFields = ({ buyerName, buyerIce, buyerAddress }: KnownBuyer): Buyer => ({
  buyerName: buyerName ?? '',
  buyerIce: buyerIce ?? '',
  buyerAddress: buyerAddress ?? '',
})

function BuyerLists({ buyers }: { buyers: readonly KnownBuyer[] }) {
  return (
    <>
      <datalist id="buyer-names">
        {buyers.map(({ buyerName, buyerIce }) => (
          <option key={`${buyerIce} ${buyerName}`} value={buyerName ?? ''}>
            {buyerIce}
          </option>
        ))}
      </datalist>
      <datalist id="buyer-ices">
        {buyers.map(
          ({ buyerName, buyerIce }) =>
            buyerIce && (
              <option key={`${buyerIce} ${buyerName}`} value={buyerIce}>
                {buyerName}
              </option>
            ),
        )}
      </datalist>
    </>
  )
}
