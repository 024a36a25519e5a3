#!/usr/bin/env node
// In a file that exists before the build, so that npm can link the command.

const { existsSync } = require('node:fs')
const { join } = require('node:path')

const main = join(__dirname, '..', 'dist', 'main.js')
if (!existsSync(main)) {
  process.stderr.write('einvoicing is not built yet: npm run build\n')
  process.exit(2)
}
require(main)
