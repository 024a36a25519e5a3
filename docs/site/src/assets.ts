import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'

export interface Asset {
  /** Where it is served: `/docs/assets/docs-1a2b3c4d.css`. */
  path: string
  body: Buffer
}

const base = '/docs/assets'
const ours = path.join(__dirname, '..', 'assets')
const swaggerUi = path.dirname(require.resolve('swagger-ui-dist/package.json'))

/** By name, without the digest. */
export function readAssets(): Map<string, Asset> {
  const files = [
    ...['docs.css', 'reference.css', 'reference.js', 'copy-button.js', 'search.js', 'icon.svg'].map(
      (name) => [ours, name],
    ),
    ...['swagger-ui.css', 'swagger-ui-bundle.js'].map((name) => [swaggerUi, name]),
  ] as [string, string][]
  return new Map(files.map(([folder, name]) => [name, readAsset(path.join(folder, name))]))
}

function readAsset(file: string): Asset {
  // Their maps are not served.
  const text = readFileSync(file, 'utf8').replace(/\n\/[/*]# sourceMappingURL=[^\n]*\n?$/, '\n')
  return createAsset(path.basename(file), text)
}

export function createAsset(file: string, text: string): Asset {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 8)
  const { name, ext } = path.parse(file)
  return { path: `${base}/${name}-${digest}${ext}`, body: Buffer.from(text) }
}
