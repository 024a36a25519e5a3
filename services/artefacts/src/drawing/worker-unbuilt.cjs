/** The drawing thread over unbuilt sources, for tests only. Never built, never shipped. */

require('../testdata/unbuilt.cjs')
module.exports = require('./worker.ts')
