import { limits } from '@einvoicing/domain/limits'
import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useApiKeys } from '../api/api-keys'
import type { AuditFilter } from '../api/audit'
import { useMembers } from '../api/members'
import { useTexts } from '../i18n/texts'
import { DayRangeInputs } from '../components/day-range-inputs'
import { Filters } from '../components/filters'
import { TypedInput } from '../components/typed-input'
import classes from './audit-filters.module.css'
import { InvoiceFilter } from './invoice-filter'

const shown = ['action', 'actor', 'invoiceId', 'from', 'to'] as const
export const filterNames = [...shown, 'network', 'device'] as const

const settledMs = 400

type FilterName = (typeof filterNames)[number]

export interface AuditFiltersProps {
  filter: AuditFilter
  onChange(filter: AuditFilter, options?: { replace: boolean }): void
}

export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const { audit } = useTexts()
  const [clearCount, setClearCount] = useState(0)
  const clear = () => {
    setClearCount(clearCount + 1)
    onChange({})
  }
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
      <NativeSelect
        label={audit.actor}
        data={useActors(filter.actor ?? '')}
        value={filter.actor ?? ''}
        onChange={({ currentTarget }) => set('actor', currentTarget.value)}
      />
      <InvoiceFilter
        key={`invoice ${clearCount}`}
        invoiceId={filter.invoiceId ?? ''}
        onInvoice={(value) => set('invoiceId', value)}
      />
      <DayRangeInputs
        range={filter}
        labels={audit}
        onDay={(name, day) => onChange({ ...filter, [name]: day }, { replace: true })}
      />
      {(['network', 'device'] as const).map((name) => (
        <TypedInput
          key={`${name} ${clearCount}`}
          settledMs={settledMs}
          maxLength={limits.auditFilterLength}
          label={audit[name]}
          value={filter[name] ?? ''}
          onTyped={(value) => set(name, value)}
        />
      ))}
      <Button variant="subtle" color="gray" onClick={clear}>
        {audit.clear}
      </Button>
    </Filters>
  )
}

/** Everyone, people only, and each person and key by name. */
function useActors(chosen: string) {
  const { audit } = useTexts()
  const members = useMembers()
  const apiKeys = useApiKeys()
  const actors = [
    { value: '', label: audit.anyActor },
    { value: 'user:', label: audit.peopleOnly },
    ...(members.data ?? []).map(({ email }) => ({ value: `user:${email}`, label: email })),
    { value: 'api-key:', label: audit.keysOnly },
    ...(apiKeys.data ?? []).map(({ id, name }) => ({
      value: `api-key:${id}`,
      label: `${audit.actors['api-key'] ?? ''} ${name}`,
    })),
    { value: 'service:', label: audit.servicesOnly },
    { value: 'operator:', label: audit.operatorOnly },
  ]
  const isKnown = actors.some(({ value }) => value === chosen)
  return isKnown ? actors : [...actors, { value: chosen, label: chosen }]
}
