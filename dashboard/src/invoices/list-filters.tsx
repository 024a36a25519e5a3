import { invoiceStatuses } from '@einvoicing/domain/invoice-status'
import { invoiceTypes } from '@einvoicing/domain/invoice-types'
import { isIce } from '@einvoicing/domain/legal-mentions'
import { limits } from '@einvoicing/domain/limits'
import { Button, NativeSelect } from '@mantine/core'
import { useTexts } from '../i18n/texts'
import { DayRangeInputs } from '../components/day-range-inputs'
import { Filters } from '../components/filters'
import { Icon } from '../components/icon'
import { TypedInput } from '../components/typed-input'
import type { FilterName, ListFilter } from './list-filter'
import classes from './list.module.css'

const settledMs = 300

export interface ListFiltersProps {
  filter: ListFilter
  onChange(filter: ListFilter, options?: { replace: boolean }): void
}

export function ListFilters({ filter, onChange }: ListFiltersProps) {
  const { credit, invoices, statuses } = useTexts()
  const set = (name: FilterName, value: string) => onChange({ ...filter, [name]: value })
  const states = invoiceStatuses.map((status) => ({ value: status, label: statuses[status] }))
  const types = invoiceTypes.map((type) => ({ value: type, label: credit.types[type] }))
  const { ice = '' } = filter
  return (
    <Filters
      label={invoices.filters}
      className={classes['filters']}
      active={Object.keys(filter).length}
      first={
        <TypedInput
          settledMs={settledMs}
          maxLength={limits.searchLength}
          label={invoices.search}
          placeholder={invoices.searchHint}
          value={filter.search ?? ''}
          onTyped={(value) => set('search', value)}
          type="search"
          leftSection={<Icon name="search" />}
        />
      }
    >
      <NativeSelect
        label={invoices.status}
        data={[{ value: '', label: invoices.anyStatus }, ...states]}
        value={filter.status ?? ''}
        onChange={({ currentTarget }) => set('status', currentTarget.value)}
      />
      <NativeSelect
        label={credit.type}
        data={[{ value: '', label: credit.anyType }, ...types]}
        value={filter.type ?? ''}
        onChange={({ currentTarget }) => set('type', currentTarget.value)}
      />
      <TypedInput
        settledMs={settledMs}
        maxLength={limits.searchLength}
        label={invoices.ice}
        placeholder="001234567000089"
        value={ice}
        error={ice !== '' && !isIce(ice) ? invoices.iceError : null}
        onTyped={(value) => set('ice', value.replace(/\s/g, ''))}
      />
      <DayRangeInputs
        range={filter}
        labels={invoices}
        onDay={(name, day) => onChange({ ...filter, [name]: day }, { replace: true })}
      />
      <Button
        variant="subtle"
        color="gray"
        disabled={Object.keys(filter).length === 0}
        onClick={() => onChange({})}
      >
        {invoices.clear}
      </Button>
    </Filters>
  )
}
