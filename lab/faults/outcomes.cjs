const { appendFileSync } = require('node:fs');
const path = require('node:path');
const Closing = require('../../test/support/reporter.cjs');

/** The suite's own reporter, which also notes how each test ended. */
class Outcomes extends Closing {
  constructor(runner, options) {
    super(runner, options);
    const note = (test, passed, error) => {
      const file = path.relative('test', test.file ?? '');
      const title = test.titlePath().join(' ');
      const line = { file, title, passed, error: error?.message };
      const { FAULTS_OUTCOMES: notes } = process.env;
      if (notes) appendFileSync(notes, `${JSON.stringify(line)}\n`);
    };
    runner.on('pass', (test) => note(test, true));
    runner.on('fail', (test, error) => note(test, false, error));
  }
}

module.exports = Outcomes;
