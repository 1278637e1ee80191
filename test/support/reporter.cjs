const { reporters } = require('mocha');

/** The spec reporter, closing with one plain line that tools can read. */
class Closing extends reporters.Spec {
  epilogue() {
    super.epilogue();
    const { passes, failures } = this.stats;
    console.log(`SEED=${process.env.SEED}`);
    console.log(`${passes} passed, ${failures} failed`);
  }
}

module.exports = Closing;
