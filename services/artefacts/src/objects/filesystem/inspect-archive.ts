import path from 'node:path'
import { findReadProblem, type InspectedObject } from '../inspected-object'
import { readObjectFolder } from './object-folder'
import { folderToKey, listObjectFolders } from './list-folders'

/** Retention is not checked: a folder has no locks. */
export async function* inspectArchiveFolder(
  root: string,
  after?: string,
): AsyncGenerator<InspectedObject> {
  for await (const folder of listObjectFolders(root, after)) {
    let bytes: Buffer | undefined
    const problem = await findReadProblem(async () => {
      bytes = readObjectFolder(path.join(root, ...folder), folder.at(-1) ?? '')?.bytes
      return undefined
    })
    yield { key: folderToKey(folder), problem, bytes }
  }
}
