import { expect } from 'chai';
import fc from 'fast-check';
import { recordFaults } from '../../../faults/report.js';
import { startBoard, type TestBoard } from '../../../support/board.js';
import { checkLedger } from '../../../support/check-ledger.js';
import {
  type Description,
  descriptionOf,
  type Exchange,
} from '../../../support/conforms.js';
import { operationsOf } from '../../../support/described.js';
import { FULL } from '../../../support/full.js';
import { GeneratedRequests } from '../../../support/generated-requests.js';
import { chosenSeed } from '../../../support/random.js';
import type { Generated } from '../../../support/request-parts.js';
import { send } from '../../../support/send.js';
import { BOUNDLESS, type Furnished, furnish } from './furnished.js';

const RUNS = FULL ? 20_000 : 2_000;
const AT_ONCE = 8;
const NETWORKS = 40;

type Outcome = { it: Generated; answer: Exchange };

/**
 * spec/operators.md §R5 D5: requests made of the description, and their
 * answers.
 */
const NO_SUCH_BOARD = /^\{"error":"unknown_(?:board|origin)"/;

describe(`${RUNS} requests made from the description`, () => {
  let test: TestBoard;
  let description: Description;
  let outcomes: Outcome[];

  before(async () => {
    test = await startBoard({ limits: BOUNDLESS });
    const has = await furnish(test);
    const { text } = await test.as().get('/openapi.json');
    description = descriptionOf(text);
    const { document } = description;
    const generated = new GeneratedRequests(document, knownTo(has));
    const seed = chosenSeed();
    const each = fc.sample(generated.ofEach(), { numRuns: 1, seed }).flat();
    const numRuns = RUNS - each.length;
    const any = fc.sample(generated.any(), { numRuns, seed });
    outcomes = await answered([...each, ...any]);
  });

  after(() => test.stop());

  const answered = async (sample: Generated[]): Promise<Outcome[]> => {
    const all: Outcome[] = [];
    for (let at = 0; at < sample.length; at += AT_ONCE) {
      const some = sample.slice(at, at + AT_ONCE).map(async (it, n) => {
        const from = `203.0.113.${(at + n) % NETWORKS}`;
        const headers = { ...it.headers, 'X-Forwarded-For': from };
        return { it, answer: await send(test.url, { ...it, headers }) };
      });
      all.push(...(await Promise.all(some)));
    }
    return all;
  };

  const told = ({ it, answer }: Outcome) =>
    `${it.kind}: ${it.method} ${it.path} ${it.body ?? ''} → ${answer.status} ${answer.text.slice(0, 300)}`;

  it('reaches every operation, well and badly', () => {
    const paths = new Set(
      outcomes.map(({ it }) => {
        const met = description.at(it.method, it.path);
        return `${met?.method} ${met?.path}`;
      }),
    );
    const all = operationsOf(description.document).map(
      ({ method, path }) => `${method} ${path}`,
    );
    expect([...paths]).to.include.members(all);
    const statuses = new Set(outcomes.map(({ answer }) => answer.status));
    expect([...statuses]).to.include.members([200, 202, 400, 404, 422]);
  });

  // The test's clock is not the database's, which `/readyz` tells.
  it('answers none of them with a 5xx', () => {
    const broken = outcomes.filter(
      ({ it, answer }) =>
        answer.status >= 500 && !it.path.startsWith('/readyz'),
    );
    expect(broken.map(told)).to.deep.equal([]);
  });

  it('answers each as described', () => {
    const wrong = outcomes.flatMap((outcome) => {
      const problems = description.problems(outcome.answer);
      return problems.map((problem) => `${problem} ← ${told(outcome)}`);
    });
    expect(wrong).to.deep.equal([]);
  });

  it('refuses what the description refuses, and names the field', () => {
    const taken = outcomes.filter(({ it, answer }) => {
      if (it.refusedField === null) return false;
      // Whoever names a board that is not here hears of that first.
      if (NO_SUCH_BOARD.test(answer.text)) return false;
      if (answer.status !== 400 && answer.status !== 422) return true;
      const { field } = JSON.parse(answer.text) as { field?: string };
      return field?.split('.')[0] !== it.refusedField;
    });
    expect(taken.map(told)).to.deep.equal([]);
  });

  it('refuses no query that the description takes', () => {
    const refused = outcomes.filter(({ it, answer }) => {
      if (it.method !== 'GET' || it.refusedField !== null) return false;
      if (answer.status !== 400) return false;
      return !dependent(it.path, answer.text);
    });
    expect(refused.map(told)).to.deep.equal([]);
  });

  it('refuses no body for its form that the description takes', () => {
    const refused = outcomes.filter(({ it, answer }) => {
      if (it.method !== 'POST' || it.kind !== 'valid') return false;
      if (answer.text === '') return false; // taken, and nothing to say
      const { error } = JSON.parse(answer.text) as { error?: string };
      return error === 'unknown_field' || error === 'too_long';
    });
    expect(refused.map(told)).to.deep.equal([]);
  });

  it('leaves a log that verifies', async () => {
    await checkLedger(test);
    await recordFaults({ test: 'D5', faults: outcomes.length });
  });
});

/** Rules between parameters, which a schema of each cannot say. */
function dependent(path: string, text: string): boolean {
  const { field } = JSON.parse(text) as { field?: string };
  if (path.startsWith('/api/thread/')) return field === 'before';
  if (path.startsWith('/log/consistency')) return true;
  return false;
}

function knownTo(has: Furnished) {
  const ids = [has.topic, has.reply, has.signed, has.removed, 999];
  return {
    id: [...ids, has.poll, has.selection],
    message_id: ids,
    root_id: ids,
    reply_to: ids,
    uuid: [has.request, has.report],
    agent_id: [has.agent.id],
    card_id: [has.card],
    index: [0, 1, 2, 3, 4, 5],
    from: [0, 1, 2],
    to: [2, 3],
    room: ['lobby', 'findings'],
    option: ['a', 'b'],
    // Waiting is timed by the real clock and has tests of its own.
    wait: [0],
  };
}
