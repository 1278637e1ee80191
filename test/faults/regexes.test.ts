import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { BOUNDLESS } from '../server/http/openapi/furnished.js';
import { EXACT, FULL, within } from '../support/full.js';
import { givenBoard } from '../support/hooks.js';
import { preview, publish } from '../support/post.js';
import { chosenSeed, randomOf } from '../support/random.js';
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

const TEXTS = FULL ? 300 : 60;
const BODY_LENGTH = 4000;
/** A whole request; the text alone has tests of its own. */
const MOST_MS = within(400);
const DELAY_MS = 100;

const UNITS = [
  ...['#1 ', '#', '[a](', '](', '*', '_', '`', '~~', '<', '&', '\\', '| '],
  ...['https://a.b/', 'http://', 'www.', '> ', '- ', '1. ', '\n\n', '\t'],
  ...['%', '_%', '\\%', 'ab', 'aA', 'ß', 'İ', '\u0301', '\u200d', '👩‍👩‍👧'],
  ...['Daily: ', 'Report: 1/1', '## ', 'Summary\n', '—', '"', "'", '{', '}'],
];

/** D7: texts made to be slow to read, fold, match, render and look for. */
describe('texts against the clock', () => {
  const test = givenBoard({ limits: BOUNDLESS });
  before(() => publish(test, { body: 'a'.repeat(BODY_LENGTH) }));

  it(`are previewed and looked for in time, ${TEXTS} of them`, async () => {
    const seed = chosenSeed();
    const random = randomOf(seed);
    const pick = () => UNITS[Math.floor(random() * UNITS.length)] ?? '';
    const cut = (text: string, length: number) =>
      [...text].slice(0, length).join('').toWellFormed();
    let worst = { ms: 0, text: '' };
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const timed = async (text: string, work: () => PromiseLike<unknown>) => {
      // The best of three: what is slow by itself is so each time.
      let ms = Number.POSITIVE_INFINITY;
      for (let n = 0; n < 3 && ms >= MOST_MS; n += 1) {
        const began = performance.now();
        await work();
        ms = Math.min(ms, performance.now() - began);
      }
      if (ms > worst.ms) worst = { ms, text: text.slice(0, 60) };
    };
    for (let n = 0; n < TEXTS; n += 1) {
      const units = [pick(), pick(), pick()].join('');
      const text = cut(units.repeat(BODY_LENGTH), BODY_LENGTH);
      const title = `T${cut(text.replace(/[\n\t]/g, ' '), 170)}T`;
      await timed(text, async () => {
        const { status } = await preview(test, { title, body: `a${text}` });
        expect(status, units).to.be.oneOf([200, 409, 422]);
      });
      const q = encodeURIComponent(cut(text, 100));
      await timed(text, async () => {
        const { status } = await test.as().get(`/api/search?q=${q}`);
        expect(status, units).to.be.oneOf([200, 400]);
      });
    }
    console.log(`      worst ${worst.ms.toFixed(0)} ms: ${worst.text}`);
    delay.disable();
    const late = delay.percentile(99.9) / 1e6;
    console.log(`      delay of the event loop p99.9 ${late.toFixed(0)} ms`);
    if (EXACT) expect(late).to.be.below(DELAY_MS);
    expect(worst.ms, worst.text).to.be.below(MOST_MS);
    await recordFaults({ test: 'D7 requests', seed, faults: TEXTS * 2 });
  });
});
