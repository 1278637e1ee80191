import { toBase64 } from '../../../protocol/bytes.js';
import { contentFromJson, contentHash } from '../../../protocol/content.js';
import { parseEntry, readPost } from '../../../protocol/entry.js';
import { messageHash } from '../../../protocol/statement.js';
import { closeDuePolls } from '../../../server/polls/close-poll.js';
import { recordFaults } from '../../faults/report.js';
import { FULL } from '../../support/full.js';
import { givenBoard } from '../../support/hooks.js';
import { readerOf, readLeaves } from '../../support/log-reader.js';
import {
  filled,
  type Post,
  preview,
  publish,
  submit,
} from '../../support/post.js';
import { freshNetwork, randomUUID } from '../../support/random.js';
import {
  CONFLICT,
  expectRefusal,
  limited,
  retryAfter,
} from '../posting/refusals.js';
import {
  eventsOf,
  HOUR_MS,
  PROPOSAL,
  read,
  SURVEY,
  UNLIMITED,
} from './polling.js';

describe('a topic published with a poll', () => {
  const test = givenBoard({ limits: UNLIMITED });

  async function publishedAgain(post: Post) {
    const previewed = await preview(test, post).expect(200);
    return await submit(test, filled(previewed));
  }

  it('opens it and names it in the receipt', async () => {
    const receipt = await publish(test, { poll: SURVEY });
    expect(Object.keys(receipt)).to.deep.equal([
      ...['status', 'message', 'message_hash', 'poll'],
      ...['read_url', 'url', 'replies_url', 'log'],
    ]);
    const { id } = receipt.poll as { id: number };
    const { body } = await read(test, `/api/polls/${id}`);
    expect(body.root_id).to.equal(receipt.message.id);
    expect(body.question).to.equal(SURVEY.question);
    const { request_id } = receipt.message;
    const request = await read(test, `/api/requests/${request_id}`);
    expect(request.body.receipt).to.deep.equal(receipt);
    const [event] = await eventsOf(test, id);
    expect(event).to.deep.include({
      poll_id: id,
      root_id: receipt.message.id,
      kind: 'opened',
      data: { closes_at: body.closes_at },
    });
  });

  it('gives polls IDs of their own, one after the other', async () => {
    const ids: unknown[] = [];
    for (let n = 0; n < 3; n += 1) {
      await publish(test);
      ids.push((await publish(test, { poll: SURVEY })).poll);
    }
    const first = (ids[0] as { id: number }).id;
    expect(ids).to.deep.equal([0, 1, 2].map((n) => ({ id: first + n })));
  });

  it('is one request with its poll: retries answer the same poll', async () => {
    const post = {
      request_id: randomUUID(),
      title: 'Retried',
      poll: { ...SURVEY, options: ['x', 'y'] },
    };
    const receipt = await publish(test, post);
    const before = (await read(test, '/api/polls?limit=100')).body.count;
    for (const poll of [
      post.poll,
      { ...post.poll, duration_hours: 720 },
      { type: 'survey', ...post.poll },
    ]) {
      const answer = await publishedAgain({ ...post, poll });
      expect(answer.status).to.equal(200);
      expect(answer.body).to.deep.equal({
        ...receipt,
        status: 'already_published',
      });
    }
    const { poll: _, ...without } = post;
    for (const changed of [
      without,
      { ...post, poll: { ...post.poll, question: 'Other?' } },
      { ...post, poll: { ...post.poll, options: ['y', 'x'] } },
      { ...post, poll: { ...post.poll, options: ['x', 'y', 'z'] } },
      { ...post, poll: { ...post.poll, duration_hours: 719 } },
      { ...post, poll: PROPOSAL },
    ]) {
      expectRefusal(await publishedAgain(changed), CONFLICT);
    }
    const { body } = await read(test, '/api/polls?limit=100');
    expect(body.count).to.equal(before);
  });

  it('binds the poll in its content block, statement and entry', async () => {
    for (const [poll, block] of [
      [SURVEY, { ...SURVEY, duration_hours: 720 }],
      [
        { question: ' Q?\r\n', options: ['é', 'o\u0301'], duration_hours: 24 },
        { question: ' Q?\r\n', options: ['é', 'o\u0301'], duration_hours: 24 },
      ],
      [
        PROPOSAL,
        {
          question: PROPOSAL.question,
          duration_hours: 720,
          ...PROPOSAL.proposal,
        },
      ],
    ]) {
      const post = { title: 'Logged', body: 'Vote below.', poll };
      const receipt = await publish(test, post);
      const { index, size } = receipt.log;
      const leaves = await readLeaves(readerOf(test.url), size);
      const entry = parseEntry(leaves[index] ?? '');
      if (!entry.ok || entry.value.type !== 'post') throw new Error('no post');
      const { id } = receipt.poll as { id: number };
      expect(entry.value.poll).to.equal(id);
      expect(entry.value.id).to.equal(receipt.message.id);
      const logged = readPost(entry.value.embedded);
      if (!logged.ok) throw new Error(logged.reason);
      const { statement, text } = logged.value;
      expect(toBase64(messageHash(text))).to.equal(receipt.message_hash);
      const { body } = await read(test, `/log/content?index=${index}`);
      expect(body.content.poll).to.deep.equal(block);
      const content = contentFromJson(body.content);
      if (!content.ok) throw new Error(content.reason);
      expect(toBase64(contentHash(content.value))).to.equal(
        toBase64(statement.content),
      );
      // The block without its poll is another text under another hash.
      const { poll: _, ...bare } = content.value;
      expect(toBase64(contentHash(bare))).not.to.equal(
        toBase64(statement.content),
      );
    }
  });

  it('leaves no poll behind when it is refused under the lock', async () => {
    const [first, second] = await Promise.all(
      ['one', 'two'].map((option) => {
        const options = ['zero', option];
        const body = `Black Lives Matter: ${option}`;
        return preview(test, { body, poll: { ...SURVEY, options } });
      }),
    );
    if (first === undefined || second === undefined) throw new Error('two');
    const answers = await Promise.all(
      [first, second].map((previewed) => submit(test, filled(previewed))),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([201, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body.error).to.equal('funnel_thread_changed');
    const { body } = await read(test, '/api/polls?limit=100');
    const mine = body.data.filter(({ options }: { options: string[] }) =>
      options.includes('zero'),
    );
    expect(mine).to.have.length(1);
  });
});

const REFUSED = limited('open_polls_max');

const RACES = FULL ? 50 : 2;

describe('the open polls of a board', () => {
  const test = givenBoard({ lifted: true });

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
    const again = await preview(test, post).expect(200);
    const answer = await submit(test, filled(again)).expect(200);
    expect(answer.body.poll).to.deep.equal(receipt.poll);
  });
});
