const { writeFileSync } = require('node:fs');

/** Writes what the tests came to into the file that `MUTANT_RESULT` names. */
module.exports = class Result {
  constructor(runner) {
    const result = { passed: 0, failures: [], ended: false };
    const keep = () => {
      writeFileSync(process.env.MUTANT_RESULT, JSON.stringify(result));
    };
    runner.on('pass', () => {
      result.passed += 1;
    });
    runner.on('fail', (test, error) => {
      const { name, code, message } = error ?? {};
      result.failures.push({
        title: test.fullTitle(),
        file: test.file ?? test.parent?.file ?? '',
        asserted: name === 'AssertionError' || code === 'ERR_ASSERTION',
        message: String(message).slice(0, 400),
      });
      keep();
    });
    runner.once('end', () => {
      result.ended = true;
      keep();
    });
  }
};
