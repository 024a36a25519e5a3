/** Folded, because most keys need no limit. */

import { Button, NativeSelect, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import type { Schemas } from '../api/schemas'
import { useTexts } from '../i18n/texts'

export const noLimits = { access: 'all', days: '', allowedNetworks: '' }

type TypedLimits = typeof noLimits
type Typed = TypedLimits & { name: string }

const dayMs = 24 * 60 * 60_000

export function toKeyLimits(
  { access, days, allowedNetworks }: TypedLimits,
  now: Date,
): Omit<Schemas['NewApiKey'], 'name'> {
  const networks = allowedNetworks.split(/[\s,;]+/).filter((network) => network !== '')
  return {
    ...(access === 'read' && { scopes: ['invoices:read'] }),
    ...(access === 'write' && { scopes: ['invoices:write'] }),
    ...(days !== '' && { expiresAt: new Date(now.getTime() + Number(days) * dayMs).toISOString() }),
    ...(networks.length > 0 && { allowedNetworks: networks }),
  }
}

export function KeyLimitFields({ form }: { form: UseFormReturnType<Typed> }) {
  const { keys } = useTexts()
  const [isOpen, setIsOpen] = useState(false)
  if (!isOpen) {
    return (
      <Button variant="subtle" size="compact-sm" onClick={() => setIsOpen(true)}>
        {keys.limit}
      </Button>
    )
  }
  return (
    <Stack w="100%" maw={420}>
      <NativeSelect
        label={keys.access}
        data={Object.entries(keys.accesses).map(([value, label]) => ({ value, label }))}
        key={form.key('access')}
        {...form.getInputProps('access')}
      />
      <NativeSelect
        label={keys.expires}
        description={keys.expiresHint}
        data={[
          { value: '', label: keys.neverExpires },
          ...['30', '90', '365'].map((value) => ({ value, label: keys.inDays(Number(value)) })),
        ]}
        key={form.key('days')}
        {...form.getInputProps('days')}
      />
      <TextInput
        label={keys.networks}
        description={keys.networksHint}
        key={form.key('allowedNetworks')}
        {...form.getInputProps('allowedNetworks')}
      />
    </Stack>
  )
}
