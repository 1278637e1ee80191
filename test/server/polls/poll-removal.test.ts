import { expect } from 'chai';
import {
  closeDuePolls,
  type PollText,
  putPollText,
  takePollText,
  voidPoll,
} from '../../../server/polls/close-poll.js';
import { startBoard, type TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { randomUUID } from '../../support/random.js';
import { expectRefusal } from '../posting/refusals.js';
import { remove } from '../reading/fixture.js';
import {
  eventsOf,
  HOUR_MS,
  type Opened,
  openPoll,
  PROPOSAL,
  pollEntries,
  previewBallot,
  read,
  UNLIMITED,
  votes,
} from './polling.js';

const SECRET = {
  question: 'Secret question?',
  options: ['secret yes', 'secret no'],
  duration_hours: 24,
};

describe("a removed topic's poll", () => {
  let test: TestBoard;
  const removed: number[] = [];

  before(async () => {
    test = await startBoard({ limits: UNLIMITED });
  });

  after(async () => {
    await checkLedger(test, { removed });
    await test.stop();
  });

  /** What a removal does to the poll, in one turn; and to the message. */
  async function removeTopic({ rootId }: Opened): Promise<{
    ended: boolean;
    text: PollText | null;
  }> {
    const done = await test.board.context.ledger.append(async (turn) => {
      const ended = await voidPoll(turn, rootId, 3);
      const text = await takePollText(turn.tx, rootId);
      return () => ({ ended, text });
    });
    await remove(test, rootId);
    removed.push(rootId);
    return done;
  }

  async function pollOf({ id }: Opened) {
    const { status, body, text } = await read(test, `/api/polls/${id}`);
    expect(status).to.equal(200);
    expect(text).not.to.match(/secret/i);
    return body;
  }

  it('is closed without a result, once, in the log as voided', async () => {
    const poll = await openPoll(test, SECRET);
    await votes(test, poll.id, [...SECRET.options, 'secret no', 'secret no']);
    const { ended, text } = await removeTopic(poll);
    expect(ended).to.equal(true);
    const { duration_hours: _, ...texts } = SECRET;
    expect(text).to.deep.equal({ ...texts, summary: null });
    const body = await pollOf(poll);
    expect(body).to.deep.include({
      state: 'closed',
      close_reason: 'topic_removed',
      question: null,
      options: [],
      voting: null,
    });
    const tally = { counts: [1, 3], voters: 4, result: null, winner: null };
    expect(body.tally).to.deep.equal(tally);
    const [entry, ...more] = (await pollEntries(test)).filter(
      (each) => each.poll === poll.id,
    );
    expect(more).to.have.length(0);
    expect(entry).to.deep.include({
      id: poll.rootId,
      counts: [1, 3],
      voters: 4,
      result: 'voided',
      winner: null,
    });
    // Neither the deadline nor a second removal ends it again.
    test.clock.advance(24 * HOUR_MS);
    await closeDuePolls(test.board.context);
    expect((await removeTopic(poll)).ended).to.equal(false);
    expect((await pollOf(poll)).close_reason).to.equal('topic_removed');
    const kinds = (await eventsOf(test, poll.id)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind !== 'vote_accepted')).to.deep.equal([
      'opened',
      'voided',
    ]);
  });

  it('leaves no text in any list, event or log read', async () => {
    const poll = await openPoll(test, SECRET);
    await votes(test, poll.id, ['secret yes']);
    const { log } = (await read(test, `/api/requests/${await requestOf(poll)}`))
      .body.receipt;
    await removeTopic(poll);
    for (const path of [
      '/api/polls?limit=100',
      `/api/polls?root_id=${poll.rootId}`,
      `/api/polls/updates?limit=100&poll_id=${poll.id}`,
      `/api/thread/${poll.rootId}`,
      `/log/content?index=${log.index}`,
      '/all.txt',
    ]) {
      expect((await read(test, path)).text, path).not.to.match(/secret/i);
    }
    const [, accepted] = await eventsOf(test, poll.id);
    expect(accepted?.data).to.deep.equal({
      option: null,
      counts: [1, 0],
      voters: 1,
    });
    const thread = await read(test, `/api/thread/${poll.rootId}`);
    expect(thread.body).not.to.have.property('poll');
    expect(thread.body.actions).to.deep.equal({});
    const send = { option: 'secret no', request_id: randomUUID() };
    expectRefusal(await previewBallot(test, poll.id, send), {
      status: 404,
      error: 'poll_not_found',
    });
  });

  it('keeps the outcome of a deadline that had passed', async () => {
    for (const recorded of [true, false]) {
      const poll = await openPoll(test, SECRET);
      await votes(test, poll.id, ['secret no', 'secret no', 'secret no']);
      test.clock.advance(24 * HOUR_MS);
      if (recorded) await closeDuePolls(test.board.context);
      expect((await removeTopic(poll)).ended).to.equal(!recorded);
      const body = await pollOf(poll);
      expect(body.close_reason).to.equal('deadline');
      expect(body.tally).to.deep.equal({
        counts: [0, 3],
        voters: 3,
        result: 'selected',
        winner: null,
      });
      const last = (await eventsOf(test, poll.id)).at(-1);
      expect(last?.kind).to.equal('closed');
      expect(last?.data).to.deep.equal({
        result: 'selected',
        winner: null,
        counts: [0, 3],
      });
    }
  });

  it('has its texts again, closed, when they are put back', async () => {
    const summary = 'A secret summary.';
    const proposal = { kind: 'other', summary };
    const poll = await openPoll(test, { ...PROPOSAL, proposal });
    const { text } = await removeTopic(poll);
    expect((await pollOf(poll)).proposal).to.deep.equal({
      kind: 'other',
      summary: null,
    });
    if (text === null) throw new Error('no text was taken');
    const { writes } = test.board.context;
    await writes.transaction((tx) => putPollText(tx, poll.rootId, text));
    const [row] = await writes.query<{ question: string; summary: string }>(
      'SELECT question, summary FROM poll WHERE id = $1',
      [poll.id],
    );
    expect(row).to.deep.equal({ question: PROPOSAL.question, summary });
    // Still a removed topic's: no read shows what is in the table.
    expect((await pollOf(poll)).question).to.equal(null);
  });

  it('is nothing to void where there is none', async () => {
    const { ledger } = test.board.context;
    const ended = await ledger.append(async (turn) => {
      const done = await voidPoll(turn, 999_999, 3);
      return () => done;
    });
    expect(ended).to.equal(false);
  });

  async function requestOf({ rootId }: Opened): Promise<string> {
    const { body } = await read(test, `/api/messages/${rootId}?full=1`);
    return body.request_id;
  }
});
