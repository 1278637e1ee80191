const os = require('node:os');

// Mocha adds the files of its command line to those named here.
const chosen = process.argv.some((word) => word.endsWith('.test.ts'));

// One limit, which only a hang reaches; the long versions take their time.
const timeout = process.env.FAULTS_FULL === '1' ? 3_600_000 : 300_000;

module.exports = {
  spec: chosen ? [] : ['test/**/*.test.ts'],
  'node-option': ['import=tsx'],
  require: ['test/support/global.ts'],
  timeout,
  'forbid-only': true,
  'forbid-pending': true,
  reporter: './test/support/reporter.cjs',
  exit: true,
  parallel: true,
  // One more than cores: each waits for databases and processes now and then.
  jobs: os.availableParallelism() + 1,
};
