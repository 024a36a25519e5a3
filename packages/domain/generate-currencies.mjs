// Writes the ISO 4217 table below the folder ROOT: `node packages/domain/generate-currencies.mjs ROOT`.

import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import currencyCodes from 'currency-codes'

// X-codes are metals, baskets, tests and "no currency", but for these five currencies.
const moneyBeginningWithX = new Set(['XAF', 'XCD', 'XCG', 'XOF', 'XPF'])

// Replaced ANG in 2025, after the package was made.
const missing = [{ code: 'XCG', digits: 2 }]

const known = new Set(currencyCodes.data.map(({ code }) => code))
const rows = [...currencyCodes.data, ...missing.filter(({ code }) => !known.has(code))]
  .filter(({ code }) => !code.startsWith('X') || moneyBeginningWithX.has(code))
  .map(({ code, digits }) => `  ${code}: ${digits},`)
  .sort()

const file = path.join(process.argv[2], 'packages/domain/src/gen/currencies.ts')
await mkdir(path.dirname(file), { recursive: true })
await writeFile(
  file,
  `/** Made from the package currency-codes: \`npm run generate\`. */

/** Fraction digits of the minor unit of each currency of ISO 4217. */
export const minorUnitDigitsByCode = {
${rows.join('\n')}
} as const satisfies Readonly<Record<string, number>>
`,
)
