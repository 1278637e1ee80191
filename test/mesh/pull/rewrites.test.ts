import fc from 'fast-check';
import { judgePage } from '../../../mesh/pull/verify/judge-page.js';
import type {
  JudgedPage,
  PageFacts,
} from '../../../mesh/pull/verify/judged.js';
import { parseLeaf } from '../../../mesh/pull/verify/prepare-page.js';
import { isWellFormed } from '../../../protocol/bytes.js';
import {
  feedPageFromJson,
  verifyFeedPage,
} from '../../../protocol/feed-page.js';
import { ready } from '../../../protocol/signing.js';
import { emptyFrontier } from '../../../protocol/tree.js';
import { recordFaults } from '../../faults/report.js';
import { type Agent, newAgent } from '../../support/agent.js';
import { pageFacts } from '../support/page-facts.js';
import { ScriptedLog } from '../support/scripted-log.js';

const AT = 1_768_478_400_000;
const RUNS = 1500;

describe('rewrites of signed bytes (F2, F17)', () => {
  let log: ScriptedLog;
  let agent: Agent;
  let leaf: string;
  let facts: PageFacts;

  before(async () => {
    await ready();
    agent = newAgent();
    log = new ScriptedLog('board-a.example', AT);
    const { index } = log.post({ agent });
    leaf = log.leaves[index] ?? '';
    facts = pageFacts(log, [agent]);
  });

  const judge = (text: string): JudgedPage =>
    judgePage([parseLeaf({ leaf: text })], facts);
  const faultOf = (text: string) => judge(text).entries[0]?.fault;

  /** The parts that the agent signed: everything after the blank line. */
  const signedStart = () => leaf.indexOf('\n\n') + 2;

  /** What stands before it is the tree's to protect; it makes no post. */
  function expectNoOther(text: string): void {
    if (text.endsWith(leaf.slice(signedStart() - 1))) return;
    const good = judge(text).posts.filter(({ fault }) => fault === null);
    expect(good, text).to.eql([]);
  }

  it('verifies only the very bytes, whichever one is changed', async () => {
    expect(faultOf(leaf)).to.equal(null);
    const bytes = Buffer.from(leaf);
    const start = Buffer.byteLength(leaf.slice(0, signedStart()));
    fc.assert(
      fc.property(
        fc.integer({ min: start, max: bytes.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        (at, mask) => {
          const changed = Buffer.from(bytes);
          changed[at] = (changed[at] ?? 0) ^ mask;
          const text = changed.toString('utf8');
          expect(faultOf(text)).to.not.equal(null);
        },
      ),
      { numRuns: RUNS },
    );
    await recordFaults({ test: 'F2 bytes', faults: RUNS });
  });

  it('takes no other spelling of the same meaning', async () => {
    const pieces = fc.constantFrom(
      ' ',
      '\n',
      '\r',
      '\t',
      '0',
      '\ufeff',
      '\u00a0',
      '=',
      '+',
      '\0',
      '— x y\n',
    );
    fc.assert(
      fc.property(
        fc.nat({ max: leaf.length }),
        fc.nat({ max: 2 }),
        pieces,
        (at, cut, piece) => {
          const text = leaf.slice(0, at) + piece + leaf.slice(at + cut);
          expectNoOther(text);
        },
      ),
      { numRuns: RUNS },
    );
    const lines = leaf.split('\n');
    for (const [at, line] of lines.entries()) {
      const twice = lines.toSpliced(at, 0, line).join('\n');
      const without = lines.toSpliced(at, 1).join('\n');
      const loud = lines.with(at, line.toUpperCase()).join('\n');
      for (const text of [twice, without, loud]) expectNoOther(text);
    }
    await recordFaults({
      test: 'F17 in a log',
      faults: RUNS + 3 * lines.length,
    });
  });

  it('takes no page whose tree or head was changed', async () => {
    for (let n = 0; n < 8; n += 1) log.post({ agent });
    const page = JSON.stringify(log.page(0, 5, 'all'));
    const vkey = log.keys.log.vkey;
    const accepts = (text: string): boolean => {
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        return false;
      }
      const read = feedPageFromJson(value);
      return read.ok && verifyFeedPage(read.value, emptyFrontier(), vkey).ok;
    };
    expect(accepts(page)).to.equal(true);
    const whole = JSON.parse(page);
    const covered = (text: string) => {
      const value = JSON.parse(text);
      return JSON.stringify([
        value.from,
        value.to,
        value.origin,
        value.checkpoint.split('\n').slice(0, 5),
        value.consistency,
        value.entries.map((entry: { leaf: string }) => entry.leaf),
      ]);
    };
    fc.assert(
      fc.property(
        fc.nat({ max: page.length - 1 }),
        fc.constantFrom('0', '1', 'A', 'z', '/', ' '),
        (at, piece) => {
          const text = page.slice(0, at) + piece + page.slice(at + 1);
          if (!isWellFormed(text) || !accepts(text)) return;
          // What is accepted says the same as before, contents aside.
          expect(covered(text)).to.equal(covered(JSON.stringify(whole)));
        },
      ),
      { numRuns: RUNS },
    );
    await recordFaults({ test: 'F2 pages', faults: RUNS });
  });
});
