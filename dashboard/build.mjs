// `dashboard.html` is at /dashboard, the rest below /dashboard/ with a digest in the name. Does
// nothing when nothing changed.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const here = path.dirname(fileURLToPath(import.meta.url))
const served = path.join(here, '..', 'gateway', 'dist', 'public')
const stampFile = path.join(here, 'dist', 'stamp')

const packageSources = (name) => path.join(here, '..', 'packages', name, 'src')
const [domain, profile] = ['domain', 'profile'].map(packageSources)

const sources = [
  ...[path.join(here, 'src'), domain, profile]
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name)),
  ...['package.json', 'build.mjs', 'dashboard.html', 'before-paint.js', '../package-lock.json'].map(
    (name) => path.join(here, name),
  ),
].sort()
const digest = createHash('sha256')
for (const file of sources)
  digest.update(`${path.relative(here, file)}\0`).update(readFileSync(file))
const stamp = digest.digest('hex')

const isFresh =
  existsSync(stampFile) &&
  readFileSync(stampFile, 'utf8') === stamp &&
  existsSync(path.join(served, 'dashboard.html'))
if (!isFresh) {
  await build()
  mkdirSync(path.dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, stamp)
}

async function build() {
  const { build: bundle } = await import('vite')
  rmSync(path.join(served, 'dashboard'), { recursive: true, force: true })
  await bundle({
    configFile: false,
    root: here,
    base: '/',
    publicDir: false,
    logLevel: 'warn',
    plugins: [themeVariables(), beforePaint()],
    // The sources, because CommonJS output cannot be tree-shaken.
    resolve: { alias: { '@einvoicing/domain': domain, '@einvoicing/profile': profile } },
    build: {
      outDir: served,
      emptyOutDir: false,
      assetsDir: 'dashboard',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      target: 'es2022',
      // The first versions with light-dark().
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      chunkSizeWarningLimit: 1_000,
      rollupOptions: {
        input: path.join(here, 'dashboard.html'),
        // Mantine's "use client" has no meaning here, and plugin timings are noise.
        onLog: (level, entry, log) =>
          /MODULE_LEVEL_DIRECTIVE|PLUGIN_TIMINGS/.test(entry.code) || log(level, entry),
      },
    },
  })
  if (process.stdout.isTTY) process.stdout.write('dashboard: built\n')
}

/** Mantine would put its variables into a style tag, which our policy rejects. */
function themeVariables() {
  const file = path.join(here, 'src', 'theme.css')
  return {
    name: 'theme-variables',
    async load(id) {
      if (path.normalize(id) !== file) return undefined
      const {
        convertCssVariables,
        createTheme,
        defaultCssVariablesResolver,
        DEFAULT_THEME,
        mergeMantineTheme,
      } = await import('@mantine/core')
      const values = JSON.parse(readFileSync(path.join(here, 'src', 'theme.json'), 'utf8'))
      const theme = mergeMantineTheme(DEFAULT_THEME, createTheme(values))
      const variables = convertCssVariables(defaultCssVariablesResolver(theme), ':root')
      return `${variables}\n${readFileSync(file, 'utf8')}`
    },
  }
}

/** The one script that runs before the first paint is not a module, so Vite does not name it. */
function beforePaint() {
  const source = readFileSync(path.join(here, 'before-paint.js'), 'utf8')
  const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8)
  const fileName = `dashboard/before-paint-${hash}.js`
  return {
    name: 'before-paint',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => {
        // Below the static content of the body, which is painted without waiting for them.
        const styles = html.match(/ *<link rel="stylesheet"[^>]*>\n/g) ?? []
        const script = `<script src="/${fileName}"></script>\n${styles.join('')}`
        return styles
          .reduce((rest, style) => rest.replace(style, ''), html)
          .replace('<!-- before-paint -->', script)
      },
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source })
    },
  }
}
