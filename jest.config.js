const { findIntegrationTests } = require('./test/integration-tests')

// Tests run unbuilt: swc strips the types, and our packages resolve to their sources.
const common = {
  rootDir: __dirname,
  testEnvironment: 'node',
  transform: {
    '\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }],
    'runtime_adapters\\.js$': ['@swc/jest', { jsc: { target: 'es2022' } }],
  },
  // The MongoDB driver imports `os` with `import()`, which Jest cannot run untransformed: the server
  // then refuses the driver, because it does not say who it is.
  transformIgnorePatterns: ['/node_modules/(?!mongodb/lib/runtime_adapters\\.js$)'],
  moduleNameMapper: require('./test/unbuilt/sources'),
  setupFiles: ['<rootDir>/test/unbuilt/children.cjs'],
  modulePathIgnorePatterns: ['/dist/', '<rootDir>/data/', '<rootDir>/.cache/'],
}

const project = (displayName, testMatch, testPathIgnorePatterns = []) => ({
  ...common,
  displayName,
  testMatch,
  testPathIgnorePatterns: ['/node_modules/', ...testPathIgnorePatterns],
})
/** Decision 0104. */
const inOneContext = (one) => ({
  ...one,
  testEnvironment: '<rootDir>/test/jest/environment.js',
  runtime: '<rootDir>/test/jest/runtime.js',
})
const integrationTests = findIntegrationTests(__dirname)

module.exports = {
  projects: [
    // Both lie beside the sources.
    inOneContext(
      project(
        'unit',
        ['<rootDir>/{packages/*,gateway,services/*,deploy/*,clients/*,docs/site}/src/**/*.test.ts'],
        integrationTests.map((file) => `<rootDir>/${file}$`),
      ),
    ),
    inOneContext(
      project(
        'integration',
        integrationTests.map((file) => `<rootDir>/${file}`),
      ),
    ),
    inOneContext(project('tidy', ['<rootDir>/test/tidy/**/*.test.ts'])),
    inOneContext(project('clients', ['<rootDir>/test/clients/**/*.test.ts'])),
    inOneContext(project('conformance', ['<rootDir>/test/conformance/**/*.test.ts'])),
    inOneContext(project('observability', ['<rootDir>/test/observability/**/*.test.ts'])),
    inOneContext(project('e2e', ['<rootDir>/test/e2e/**/*.test.ts'])),
    inOneContext(project('dashboard', ['<rootDir>/test/dashboard/**/*.test.ts'])),
    inOneContext(project('deploy', ['<rootDir>/test/deploy/**/*.test.ts'])),
    inOneContext(project('faults', ['<rootDir>/test/faults/**/*.test.ts'])),
    // Minutes each, and programs that only operators need: by `npm run drill:…` alone.
    ...(process.env.DRILL ? [project('drills', ['<rootDir>/test/drills/**/*.test.ts'])] : []),
  ],
  testTimeout: 120_000,
  globalSetup: '<rootDir>/test/global/begin.js',
  globalTeardown: '<rootDir>/test/global/end.js',
  reporters: ['default', '<rootDir>/test/reporter.js'],
  // One more than the cores: tests often wait (decision 0128).
  maxWorkers: 3,
  testSequencer: '<rootDir>/test/jest/longest-first.js',
}
