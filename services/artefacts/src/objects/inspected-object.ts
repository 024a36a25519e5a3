/** What an auditor is told of each archived object. */

import { ApiError } from '@einvoicing/domain/api-error'

export interface InspectedObject {
  key: string
  /** A sentence; undefined when all is well. */
  problem: string | undefined
}

/** What is damaged is told; an archive that is away ends the walk, for nothing is known then. */
export async function findReadProblem(
  read: () => Promise<string | undefined>,
): Promise<string | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ApiError) throw error
    return (error as Error).message
  }
}
