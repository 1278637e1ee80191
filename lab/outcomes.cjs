const { appendFileSync } = require('node:fs');
const path = require('node:path');
const Closing = require('../test/support/reporter.cjs');

/**
 * The suite's own reporter, which also writes how each test ended, a line of
 * JSON each, into the file that `TEST_OUTCOMES` names.
 */
class Outcomes extends Closing {
  constructor(runner, options) {
    super(runner, options);
    const note = (test, passed, error) => {
      const { name, code, message } = error ?? {};
      const line = {
        file: path.relative('test', test.file ?? test.parent?.file ?? ''),
        title: test.titlePath().join(' '),
        passed,
        error: message,
        asserted: name === 'AssertionError' || code === 'ERR_ASSERTION',
      };
      const { TEST_OUTCOMES: file } = process.env;
      if (file) appendFileSync(file, `${JSON.stringify(line)}\n`);
    };
    runner.on('pass', (test) => note(test, true));
    runner.on('fail', (test, error) => note(test, false, error));
  }
}

module.exports = Outcomes;
