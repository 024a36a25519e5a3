import path from 'node:path'
import { readAssets } from './assets'
import { guidePages } from './guide'
import { paths } from './page'
import { referencePage } from './reference'

const guide = path.join(__dirname, '..', '..', 'guide')

export interface SiteFile {
  /** In the folder that is served: a page is `PATH.html`. */
  name: string
  body: string | Buffer
}

export function makeSite(): SiteFile[] {
  const assets = readAssets()
  const asset = (name: string): string => {
    const found = assets.get(name)
    if (!found) throw new Error(`a page asks for ${name}, which is no asset`)
    return found.path
  }
  const pages = [{ path: paths.reference, html: referencePage(asset) }, ...guidePages(guide, asset)]
  return [
    ...pages.map((page) => ({ name: `${page.path}.html`, body: page.html })),
    ...[...assets.values()].map(({ path: name, body }) => ({ name, body })),
  ]
}
