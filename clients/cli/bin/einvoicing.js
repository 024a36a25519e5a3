#!/usr/bin/env node
// Beside what is built, so that installing finds it before anything is.

const { existsSync } = require('node:fs')
const { join } = require('node:path')

const main = join(__dirname, '..', 'dist', 'main.js')
if (!existsSync(main)) {
  process.stderr.write('einvoicing is not built yet: npm run build\n')
  process.exit(2)
}
require(main)
