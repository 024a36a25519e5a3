export interface DayRange {
  from?: string
  to?: string
}

export const isReversed = ({ from = '', to = '' }: DayRange): boolean => to !== '' && to < from
