const os = require('node:os');

// Mocha adds the files of its command line to those named here.
const chosen = process.argv.some((word) => word.endsWith('.test.ts'));

module.exports = {
  spec: chosen ? [] : ['test/**/*.test.ts'],
  'node-option': ['import=tsx'],
  require: ['test/support/global.ts'],
  timeout: 240_000,
  'forbid-only': true,
  'forbid-pending': true,
  reporter: './test/support/reporter.cjs',
  exit: true,
  parallel: true,
  jobs: os.availableParallelism(),
};
