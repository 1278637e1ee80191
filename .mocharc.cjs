const os = require('node:os');
const { PLAIN, REST } = require('./test/tiers.cjs');

// Mocha adds the files of its command line to those named here.
const chosen = process.argv.filter((word) => word.endsWith('.test.ts'));
const tier = chosen.length > 0 ? 'chosen' : (process.env.TIER ?? 'first');
const TIERS = {
  chosen: { spec: [] },
  first: { spec: ['test/**/*.test.ts'], ignore: REST },
  rest: { spec: REST },
  plain: { spec: PLAIN },
};

// One limit, which only a hang reaches; the long versions take their time.
const timeout = process.env.FAULTS_FULL === '1' ? 3_600_000 : 300_000;

module.exports = {
  ...TIERS[tier],
  'node-option': ['import=@oxc-node/core/register'],
  require: ['test/support/global.ts'],
  timeout,
  'forbid-only': true,
  'forbid-pending': true,
  reporter: './test/support/reporter.cjs',
  exit: true,
  // One file needs no second process to load what this one has.
  parallel: chosen.length !== 1,
  // One more than cores: each waits for databases and processes now and then.
  jobs: os.availableParallelism() + 1,
};
