/**
 * An auditor's walk through an archive folder: every object is read whole. Changes nothing. How
 * long files stay is for the owner of the disk to see to: a folder locks nothing.
 */

import path from 'node:path'
import { faultOfReading, type Inspected } from '../inspected'
import { readObjectFolder } from './object-folder'
import { keyOfFolder, objectFolders } from './object-folders'

export async function* inspectFolder(root: string): AsyncGenerator<Inspected> {
  for await (const folder of objectFolders(root)) {
    const fault = await faultOfReading(async () => {
      await readObjectFolder(path.join(root, ...folder), folder.at(-1) ?? '')
      return undefined
    })
    yield { key: keyOfFolder(folder), fault }
  }
}
