/**
 * An auditor's walk through an archive folder: every object is read whole. Changes nothing. How
 * long files stay is for the owner of the disk to see to: a folder locks nothing.
 */

import path from 'node:path'
import { findReadProblem, type InspectedObject } from '../inspected-object'
import { readObjectFolder } from './object-folder'
import { folderToKey, listObjectFolders } from './list-folders'

export async function* inspectArchiveFolder(root: string): AsyncGenerator<InspectedObject> {
  for await (const folder of listObjectFolders(root)) {
    const fault = await findReadProblem(async () => {
      await readObjectFolder(path.join(root, ...folder), folder.at(-1) ?? '')
      return undefined
    })
    yield { key: folderToKey(folder), problem: fault }
  }
}
