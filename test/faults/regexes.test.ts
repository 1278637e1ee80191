import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { within } from '../support/full.js';
import { repeats, worstOf } from './regexes/attack.js';
import { type Collected, collectRegexes } from './regexes/collect.js';
import { recordFaults } from './report.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['protocol', 'server', 'mesh', 'client', 'admin-ui'];
/** The largest body that is read. */
const LENGTH = 65_536;
const ENOUGH_MS = within(50);

/** Made of the name of a line, for a file of our own, at the start. */
const NOT_MADE = ['server/api-docs/well-known.ts'];

const SLOW = [
  ...[/(a+)+$/, /^(\w+\s?)*$/, /(a|aa)+$/],
  ...[/\s+$/, /^(.*)x(.*)y$/, /^ {0,3}#{1,6}[ \t]+(.*)$/],
];
/** That much shows; the sources' own get more time where others run too. */
const FOUND_MS = 50;

/** D7: no expression is slow, whatever text it meets. */
describe('the regular expressions of the sources', () => {
  let all: Collected;

  before(async () => {
    all = await collectRegexes(ROOT, FOLDERS);
  });

  it('are all found', () => {
    expect(all.unmade).to.deep.equal(NOT_MADE);
    expect(all.found.length).to.be.above(150);
    const files = new Set(all.found.map(({ at }) => at));
    // Literals, in JSX too, and what is put together at the start.
    expect([...files]).to.include.members([
      'protocol/note.ts',
      'admin-ui/access/TotpSecret.tsx',
      'protocol/fold.ts',
    ]);
  });

  for (const regex of SLOW) {
    it(`are not like ${regex}, which is found out`, () => {
      expect(repeats(regex)).to.equal(true);
      const { ms } = worstOf(regex, LENGTH, FOUND_MS);
      expect(ms).to.be.above(FOUND_MS);
    });
  }

  it('take no time for what was made to be slow', async () => {
    const slow: string[] = [];
    let tried = 0;
    const once = new Map(all.found.map((one) => [String(one.regex), one]));
    for (const { at, regex } of once.values()) {
      if (!repeats(regex)) continue;
      const worst = worstOf(regex, LENGTH, ENOUGH_MS);
      tried += worst.tried;
      if (worst.ms < ENOUGH_MS) continue;
      slow.push(`${at} ${regex}: ${JSON.stringify(worst)}`);
    }
    expect(slow).to.deep.equal([]);
    await recordFaults({ test: 'D7 regular expressions', faults: tried });
  });
});
