/** A page of a list, as the service answers it; `page` counts from 0. */

export interface Page<Item> {
  content: Item[]
  page: number
  size: number
  totalElements: number
  totalPages: number
  first: boolean
  last: boolean
}
