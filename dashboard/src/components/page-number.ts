import { limits } from '@einvoicing/domain/limits'
import { useEffect, useEffectEvent } from 'react'

/** Counts from 0, and `page` of the address from 1. */
export function readPage(parameters: URLSearchParams): number {
  const page = Math.trunc(Number(parameters.get('page') ?? 1)) - 1
  return page > 0 ? Math.min(page, limits.pageMax) : 0
}

/** An address may name a page beyond the last one, which is then shown. */
export function usePageThatExists(
  data: { page: number; totalPages: number } | undefined,
  page: number,
  show: (page: number) => void,
): void {
  const lastPage = (data?.totalPages ?? 0) - 1
  const isBeyond = data !== undefined && data.page === page && lastPage >= 0 && page > lastPage
  const showLast = useEffectEvent(() => show(lastPage))
  useEffect(() => {
    if (isBeyond) showLast()
  }, [isBeyond])
}
