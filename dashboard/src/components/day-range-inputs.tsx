import { TextInput } from '@mantine/core'
import { isReversed, type DayRange } from '../api/day-range'
import { useTexts } from '../i18n/texts'

export interface DayRangeInputsProps {
  range: DayRange
  labels: Readonly<Record<keyof DayRange, string>>
  onDay(name: keyof DayRange, day: string): void
}

export function DayRangeInputs({ range, labels, onDay }: DayRangeInputsProps) {
  const { frame } = useTexts()
  const { from = '', to = '' } = range
  return (
    <>
      <TextInput
        type="date"
        label={labels.from}
        max={to}
        value={from}
        onChange={({ currentTarget }) => onDay('from', currentTarget.value)}
      />
      <TextInput
        type="date"
        label={labels.to}
        min={from}
        value={to}
        error={isReversed(range) ? frame.reversedDays : null}
        onChange={({ currentTarget }) => onDay('to', currentTarget.value)}
      />
    </>
  )
}
