import { limits } from '@einvoicing/domain/limits'
import { Button, Group, Text, TextInput } from '@mantine/core'
import { useEffect, useEffectEvent } from 'react'
import { useNewestInvoices, useNumbersOfSeries } from '../api/suggestions'
import { useTexts } from '../i18n/texts'
import { inputProps, type DraftFormState } from './draft-state'
import classes from './editor.module.css'
import { findGaps, findSeries, type NumberSeries } from './number-series'

export interface NumberFieldProps {
  form: DraftFormState
  /** Proposes the next number of a series. */
  isNew: boolean
}

export function NumberField({ form, isNew }: NumberFieldProps) {
  const { draft } = useTexts()
  return (
    <div className={classes['number']}>
      <TextInput
        label={draft.number}
        description={draft.numberHint}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        maxLength={limits.invoiceNumberLength}
        {...inputProps(form, 'invoiceNumber')}
      />
      {isNew && <Proposals form={form} />}
    </div>
  )
}

function Proposals({ form }: { form: DraftFormState }) {
  const { draft } = useTexts()
  const newest = useNewestInvoices()
  const { type } = form.values
  // Each type of document usually has its own series.
  const sameType = (newest.data ?? []).filter((listed) => listed.type === type)
  const series = findSeries(sameType.map(({ invoiceNumber }) => invoiceNumber))
  const typed = form.values.invoiceNumber
  const current = series.find(({ prefix }) => typed.startsWith(prefix)) ?? series[0]
  const next = series[0]?.next
  const propose = useEffectEvent((number: string) => {
    if (typed === '' && !form.isDirty) form.propose({ invoiceNumber: number })
  })
  useEffect(() => {
    if (next !== undefined) propose(next)
  }, [next])
  if (!current) return null
  const others = series.filter(({ next: number }) => number !== typed)
  return (
    <>
      {others.length > 0 && (
        <Group gap={6} mt={6}>
          <Text size="xs" c="dimmed">
            {draft.nextNumber}
          </Text>
          {others.map(({ next: number }) => (
            <Button
              key={number}
              size="compact-xs"
              variant="default"
              className={classes['proposal'] ?? ''}
              onClick={() => form.change({ invoiceNumber: number })}
            >
              {number}
            </Button>
          ))}
        </Group>
      )}
      <Gaps series={current} />
    </>
  )
}

const gapsShown = 5

function Gaps({ series: { prefix } }: { series: NumberSeries }) {
  const { draft } = useTexts()
  const { data } = useNumbersOfSeries(prefix)
  const gaps = findGaps(prefix, data ?? [])
  if (gaps.length === 0) return null
  return (
    <Text size="xs" mt={6} className={classes['gaps'] ?? ''}>
      {draft.gaps(gaps.slice(0, gapsShown).join(', '), Math.max(0, gaps.length - gapsShown))}
    </Text>
  )
}
