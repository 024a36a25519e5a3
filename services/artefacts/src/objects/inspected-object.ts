import { ApiError } from '@einvoicing/domain/api-error'

export interface InspectedObject {
  key: string
  /** `undefined` when the object is intact. */
  problem: string | undefined
  bytes?: Buffer | undefined
}

/** Returns the problem of a damaged object; throws when the archive is unavailable. */
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
