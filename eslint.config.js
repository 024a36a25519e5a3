// What the compiler cannot see and a reviewer should not have to: forgotten promises, imports against the arrows, size.

const js = require('@eslint/js')
const { defineConfig } = require('eslint/config')
const reactHooks = require('eslint-plugin-react-hooks')
const tseslint = require('typescript-eslint')
const mayImport = require('./test/tidy/arrows.json')

// Rules of the business name no technology; adapters, in a folder beside their port, do.
const technologies = [
  '@grpc/grpc-js',
  'express',
  'ioredis',
  'libsql',
  'minio',
  'mongodb',
  'mongoose',
  '@nats-io/*',
  'pkcs11js',
  'undici',
]

const reachAcross = {
  regex: '^(\\.\\./)+(packages|gateway|services|proto|deploy|clients|src|dist)/',
  message: 'Reach another package by its name, never by its path.',
}

const testFiles = ['**/*.test.ts', '**/*.contract.ts', '**/testdata/**/*.ts']

const exportDefault = {
  selector: 'ExportDefaultDeclaration',
  message: 'Export by name, so that one thing has one name everywhere.',
}

// What every creation runs through. Decision 0125 has the figures.
const everyCreation = [
  'gateway/src/http/{envelope,exchange,request-log}.ts',
  'gateway/src/http/overload/{organization-share,slot}.ts',
  'gateway/src/invoices/{present,present-amounts,structure}.ts',
  'packages/domain/src/document-totals.ts',
  'packages/rpc/src/call.ts',
  'services/invoices/src/{create-invoice,sign,totals}.ts',
  'services/signer/src/{sign-invoice,ubl/*,xades/*}.ts',
]
const leadingSpread = {
  selector: 'ObjectExpression[properties.length>1] > SpreadElement:first-child',
  message: 'Node 20 gives every such object hidden classes of its own: use Object.assign.',
}
const weakMap = {
  selector: 'NewExpression[callee.name=/^Weak(Map|Set)$/]',
  message: 'Its keys outlive several collections: use a property of the key.',
}

const packageName = (folder) =>
  folder === 'clients/typescript'
    ? '@einvoicing/client'
    : `@einvoicing/${folder.slice(folder.lastIndexOf('/') + 1)}`

/** Refuses imports against the arrows of test/tidy/arrows.js. */
function followArrows(folder, allowed) {
  const own = packageName(folder)
  const othersThan = (folders) => ({
    regex: `^@einvoicing/(?!(${folders.map((one) => packageName(one).slice('@einvoicing/'.length)).join('|')})(/|$))`,
    message: `${own} imports only ${folders.join(', ') || 'nothing of ours'}: call another service through its contract in proto/, joined in deploy/.`,
  })
  const against = othersThan([folder, ...allowed])
  return [
    {
      files: [`${folder}/src/**/*.ts`],
      rules: { 'no-restricted-imports': ['error', { patterns: [against, reachAcross] }] },
    },
    {
      files: folder.startsWith('services/') ? [`${folder}/src/*.ts`] : [],
      ignores: ['**/main.ts', '**/service.ts', '**/server.ts', '**/*.test.ts', '**/*.contract.ts'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              against,
              reachAcross,
              {
                group: technologies,
                message: 'A rule names no technology: put this in an adapter beside its port.',
              },
            ],
          },
        ],
      },
    },
    {
      // Tests may start the real servers.
      files: testFiles.map((pattern) => `${folder}/src/${pattern}`),
      rules: {
        'no-restricted-imports': [
          'error',
          { patterns: [othersThan([folder, ...allowed, 'test/servers']), reachAcross] },
        ],
      },
    },
  ].filter(({ files }) => files.length > 0)
}

module.exports = defineConfig(
  { ignores: ['**/dist/', 'proto/gen/', '**/src/gen/', 'data/', '.cache/', 'coverage/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    files: ['**/*.js', '**/*.cjs'],
    languageOptions: {
      sourceType: 'commonjs',
      globals: {
        __dirname: 'readonly',
        __filename: 'readonly',
        console: 'readonly',
        module: 'writable',
        process: 'readonly',
        require: 'readonly',
      },
    },
  },
  {
    files: ['docs/site/assets/*.js'],
    languageOptions: {
      sourceType: 'script',
      globals: {
        document: 'readonly',
        navigator: 'readonly',
        setTimeout: 'readonly',
        window: 'readonly',
      },
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { project: './tsconfig.lint.json', tsconfigRootDir: __dirname },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      'no-restricted-syntax': ['error', exportDefault],
      'max-lines': ['error', 400],
      'max-lines-per-function': ['error', 70],
      'max-params': ['error', 3],
      'no-console': 'error',
      eqeqeq: 'error',

      // House style, where the preset is of another mind:
      // `async` without `await` turns a throw into a rejection, which is what a port promises.
      '@typescript-eslint/require-await': 'off',
      // A handler may return nothing or something: `void | { againInMs: number }`.
      '@typescript-eslint/no-invalid-void-type': 'off',
      // `(error) => reject(error)` reads better than a block.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `[...text]` walks code points, which is what XML and our limits speak of.
      '@typescript-eslint/no-misused-spread': 'off',
      // A fifth of the time of all rules, and no enum of ours exists (erasableSyntaxOnly).
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      // A type parameter that is used once may still say what the caller gets.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
    },
  },
  {
    files: everyCreation,
    ignores: testFiles,
    rules: { 'no-restricted-syntax': ['error', exportDefault, leadingSpread, weakMap] },
  },
  {
    // The page for browsers has a compiler's configuration of its own.
    files: ['dashboard/src/**/*.ts', 'dashboard/src/**/*.tsx'],
    extends: [reactHooks.configs.flat['recommended-latest']],
    languageOptions: {
      parserOptions: { project: './dashboard/tsconfig.json', tsconfigRootDir: __dirname },
    },
    rules: {
      // A component takes its properties apart; none of what they call knows `this`.
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: ['dashboard/before-paint.js'],
    languageOptions: {
      sourceType: 'script',
      globals: { document: 'readonly', localStorage: 'readonly', matchMedia: 'readonly' },
    },
  },
  ...Object.entries(mayImport)
    .filter(([folder]) => folder !== 'proto')
    .flatMap(([folder, allowed]) => followArrows(folder, allowed)),
  {
    // Whatever came over the wire is asserted, not typed.
    files: ['test/**/*.ts'],
    rules: { '@typescript-eslint/no-explicit-any': 'off' },
  },
  {
    files: [...testFiles, 'test/**/*.ts'],
    rules: {
      // A `describe` is a chapter, not a function; the row of a table has as many columns as it has.
      'max-lines-per-function': 'off',
      'max-params': 'off',
      // What an answer holds is the test's question, not its premise.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
)
