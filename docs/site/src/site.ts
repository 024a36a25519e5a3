import path from 'node:path'
import { createAsset, readAssets, type Asset } from './assets'
import { indexGuide, readGuide, renderGuide } from './guide'
import { languages, paths } from './language'
import { referencePage } from './reference'

const folder = path.join(__dirname, '..', '..', 'guide')

export interface SiteFile {
  /** In the folder that is served: a page is `PATH.html`. */
  name: string
  body: string | Buffer
}

export function makeSite(): SiteFile[] {
  const guides = languages.map((language) => readGuide(folder, language))
  const indexes = guides.map((guide): [string, Asset] => {
    const name = `search-${guide.language}.json`
    return [name, createAsset(name, JSON.stringify(indexGuide(guide)))]
  })
  const assets = new Map([...readAssets(), ...indexes])
  const asset = (name: string): string => {
    const found = assets.get(name)
    if (!found) throw new Error(`a page asks for ${name}, which is no asset`)
    return found.path
  }
  const pages = [
    ...languages.map((language) => ({
      path: paths[language].reference,
      html: referencePage(language, asset),
    })),
    ...guides.flatMap((guide) => renderGuide(guide, asset)),
  ]
  return [
    ...pages.map((page) => ({ name: `${page.path}.html`, body: page.html })),
    ...[...assets.values()].map(({ path: name, body }) => ({ name, body })),
  ]
}
