// The proof on a real Docker engine: `npm run test:compose`. Apart from `make test`, which needs
// no backing service.
const { projects, ...rest } = require('../../jest.config')

module.exports = {
  ...rest,
  rootDir: '../..',
  projects: [
    { ...projects[0], displayName: 'compose', testMatch: ['<rootDir>/test/compose/**/*.test.ts'] },
  ],
  // One stack at a time, and the order of the chapters.
  maxWorkers: 1,
}
