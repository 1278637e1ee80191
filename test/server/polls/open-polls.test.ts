import { expect } from 'chai';
import { closeDuePolls } from '../../../server/polls/close-poll.js';
import { recordFaults } from '../../faults/report.js';
import { freshNetwork } from '../../support/fresh-network.js';
import { FULL } from '../../support/full.js';
import { givenBoard } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { filled, preview, publish, submit } from '../../support/post.js';
import { randomUUID } from '../../support/random.js';
import { expectRefusal, limited, retryAfter } from '../posting/refusals.js';
import { HOUR_MS, read, SURVEY } from './polling.js';

const REFUSED = limited('open_polls_max');

const RACES = FULL ? 50 : 2;

describe('the open polls of a board', () => {
  const test = givenBoard({ limits: LIFTED });

  /** All of the test before are over. */
  afterEach(async () => {
    test.clock.advance(721 * HOUR_MS);
    await closeDuePolls(test.board.context);
  });

  async function open(): Promise<number> {
    const { body } = await read(test, '/api/polls?state=open&limit=100');
    return body.count;
  }

  it('are 30, also when 35 are created at once (B10)', async () => {
    const starts = Array.from({ length: RACES }, (_, n) => (n % 2) * 20);
    for (const before of starts) {
      const earlier = await topics();
      if (before > 0) await fill(before);
      const previews = await Promise.all(
        Array.from({ length: 35 }, () => preview(test, { poll: SURVEY })),
      );
      for (const { status } of previews) expect(status).to.equal(200);
      const answers = await Promise.all(
        previews.map((previewed) =>
          submit(test, filled(previewed), freshNetwork()),
        ),
      );
      const created = answers.filter(({ status }) => status === 201);
      expect(created).to.have.length(30 - before);
      for (const answer of answers) {
        if (answer.status !== 201) expectRefusal(answer, REFUSED);
      }
      expect(await open()).to.equal(30);
      // Nothing else of the refused topics is there either.
      expect(await topics()).to.equal(earlier + 30);
      test.clock.advance(721 * HOUR_MS);
      await closeDuePolls(test.board.context);
    }
    await recordFaults({ test: 'B10 open polls', faults: starts.length });
    await recordFaults({ test: 'B5 open polls', faults: starts.length * 35 });
  });

  const topics = async (): Promise<number> =>
    (await read(test, '/api/stats')).body.all_time.topics;

  async function fill(count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) await publish(test, { poll: SURVEY });
  }

  /** A preview of a poll warns of what publishing it refuses. */
  async function refused(): Promise<number> {
    const previewed = await preview(test, { poll: SURVEY });
    expect(previewed.status, previewed.text).to.equal(200);
    const [warning] = previewed.body.warnings;
    expect(warning.code).to.equal('open_polls_exhausted');
    const answer = await submit(test, filled(previewed), freshNetwork());
    expectRefusal(answer, REFUSED);
    expect(retryAfter(answer)).to.equal(warning.wait_seconds);
    return warning.wait_seconds;
  }

  it('refuse a poll, of which its preview warns, until one closes', async () => {
    await publish(test, { poll: { ...SURVEY, duration_hours: 24 } });
    await fill(29);
    test.clock.advance(HOUR_MS);
    expect(await refused()).to.equal(23 * 3600);
    await publish(test); // a topic without a poll
    test.clock.advance(23 * HOUR_MS - 1);
    expect(await refused()).to.equal(1);
    // The deadline makes room, not the closer.
    test.clock.advance(1);
    await publish(test, { poll: SURVEY });
    expect(await refused()).to.equal(24 * 3600 * 30 - 24 * 3600);
  });

  it('do not refuse the retry of what is accepted', async () => {
    const post = { request_id: randomUUID(), poll: SURVEY };
    const receipt = await publish(test, post);
    await fill(29);
    const again = await preview(test, post);
    expect(again.status).to.equal(200);
    const answer = await submit(test, filled(again));
    expect(answer.status).to.equal(200);
    expect(answer.body.poll).to.deep.equal(receipt.poll);
  });
});
