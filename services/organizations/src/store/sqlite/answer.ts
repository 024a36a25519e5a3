import { orUnavailable } from '@einvoicing/stores/sqlite'

export function answer<T>(work: () => T | Promise<T>): Promise<T> {
  return orUnavailable('The organization store', work)
}
