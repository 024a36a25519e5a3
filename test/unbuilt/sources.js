/** Where the sources of our packages are: for Jest, and for threads and processes that its tests start. */

module.exports = {
  '^@einvoicing/proto/(.*)$': '<rootDir>/proto/gen/$1',
  '^@einvoicing/gateway/(.*)$': '<rootDir>/gateway/src/$1',
  '^@einvoicing/(domain|profile|runtime|access|rpc|events|stores|verification)/(.*)$':
    '<rootDir>/packages/$1/src/$2',
  '^@einvoicing/client$': '<rootDir>/clients/typescript/src/client',
  '^@einvoicing/client/(.*)$': '<rootDir>/clients/typescript/src/$1',
  '^@einvoicing/cli/(.*)$': '<rootDir>/clients/cli/src/$1',
  '^@einvoicing/(admin|standalone)/(.*)$': '<rootDir>/deploy/$1/src/$2',
  '^@einvoicing/(servers|processes)/(.*)$': '<rootDir>/test/$1/src/$2',
  '^@einvoicing/([^/]+)/(.*)$': '<rootDir>/services/$1/src/$2',
}
