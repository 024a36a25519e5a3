import { Button, NativeSelect, TextInput } from '@mantine/core'
import type { AuditFilter } from '../api/audit'
import { useTexts } from '../i18n/texts'
import { Filters } from '../components/filters'
import { TypedInput } from '../components/typed-input'
import classes from './audit-filters.module.css'

export const filterNames = ['action', 'actor', 'invoiceId', 'from', 'to'] as const

type FilterName = (typeof filterNames)[number]

const settledMs = 400

export interface AuditFiltersProps {
  filter: AuditFilter
  onChange(filter: AuditFilter): void
}

export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const { audit } = useTexts()
  const set = (name: FilterName, value: string) => onChange({ ...filter, [name]: value })
  const actions = [
    { value: '', label: audit.anyAction },
    ...Object.entries(audit.groups).map(([value, label]) => ({ value, label })),
    ...Object.entries(audit.actions).map(([value, label]) => ({ value, label: `– ${label}` })),
  ]
  return (
    <Filters
      label={audit.filters}
      className={classes['filters']}
      active={Object.keys(filter).length}
      first={
        <NativeSelect
          label={audit.action}
          data={actions}
          value={filter.action ?? ''}
          onChange={({ currentTarget }) => set('action', currentTarget.value)}
        />
      }
    >
      <TypedInput
        settledMs={settledMs}
        label={audit.actor}
        placeholder={audit.actorHint}
        value={filter.actor ?? ''}
        onTyped={(value) => set('actor', value)}
      />
      <TypedInput
        settledMs={settledMs}
        label={audit.invoiceId}
        placeholder=""
        value={filter.invoiceId ?? ''}
        onTyped={(value) => set('invoiceId', value)}
      />
      <TextInput
        type="date"
        label={audit.from}
        value={filter.from ?? ''}
        onChange={({ currentTarget }) => set('from', currentTarget.value)}
      />
      <TextInput
        type="date"
        label={audit.to}
        value={filter.to ?? ''}
        onChange={({ currentTarget }) => set('to', currentTarget.value)}
      />
      <Button variant="subtle" color="gray" onClick={() => onChange({})}>
        {audit.clear}
      </Button>
    </Filters>
  )
}
