import { Poll } from '../../../server/db/entities/poll.js';
import {
  closeDuePolls,
  putPollText,
  takePollText,
  voidPoll,
} from '../../../server/polls/close-poll.js';
import { startBoard } from '../../support/board.js';
import { givenBoard } from '../../support/hooks.js';
import { removeRow } from '../../support/remove.js';
import { rows } from '../../support/rows.js';
import {
  ballotTicket,
  castBallot,
  eventsOf,
  HOUR_MS,
  type Opened,
  openPoll,
  PROPOSAL,
  pollEntries,
  read,
  SURVEY,
  UNLIMITED,
  votes,
} from './polling.js';

const SECRET = {
  question: 'Secret question?',
  options: ['secret yes', 'secret no'],
  duration_hours: 24,
};

const DAY = { duration_hours: 24 };

describe('a poll at its deadline', () => {
  const test = givenBoard({ limits: UNLIMITED });

  async function stateOf(id: number) {
    const { body } = await read(test, `/api/polls/${id}`);
    const { state, close_reason, tally, voting } = body;
    return { state, close_reason, tally, voting: voting !== null };
  }

  it('is closed by the clock alone, to the millisecond', async () => {
    test.clock.advance(250); // the deadline stands on the whole second
    const { id } = await openPoll(test, { ...SURVEY, ...DAY });
    await votes(test, id, ['a', 'a', 'b']);
    const counts = [2, 1, 0];
    const open = {
      state: 'open',
      close_reason: null,
      tally: { counts, voters: 3, result: null, winner: null },
      voting: true,
    };
    test.clock.advance(24 * HOUR_MS - 250 - 1);
    expect(await stateOf(id)).to.deep.equal(open);
    const listed = () => read(test, '/api/polls?state=open');
    expect((await listed()).body.data[0].id).to.equal(id);
    test.clock.advance(1);
    const closed = {
      state: 'closed',
      close_reason: 'deadline',
      tally: { counts, voters: 3, result: 'selected', winner: 'a' },
      voting: false,
    };
    expect(await stateOf(id)).to.deep.equal(closed);
    expect((await listed()).body.count).to.equal(0);
    // What the closer records changes nothing that readers see.
    expect(await closeDuePolls(test.board.context)).to.deep.equal({
      closed: 1,
    });
    expect(await stateOf(id)).to.deep.equal(closed);
  });

  it('ends in the log and in one event with its outcome', async () => {
    const cases = [
      [{ ...SURVEY, ...DAY }, ['a', 'b', 'b'], 'selected', 1],
      [{ ...SURVEY, ...DAY }, ['a', 'b', 'c'], 'tie', null],
      [{ ...SURVEY, ...DAY }, ['c', 'c'], 'insufficient_votes', null],
      [{ ...SURVEY, ...DAY }, [], 'insufficient_votes', null],
      [
        { ...PROPOSAL, ...DAY },
        ['abstain', 'abstain', 'abstain', 'oppose'],
        'selected',
        2,
      ],
      [{ ...PROPOSAL, ...DAY }, ['support', 'oppose', 'abstain'], 'tie', null],
    ] as const;
    const polls = [];
    for (const [poll, ballots] of cases) {
      const opened = await openPoll(test, poll);
      await votes(test, opened.id, ballots);
      polls.push(opened);
    }
    const before = (await pollEntries(test)).length;
    test.clock.advance(24 * HOUR_MS);
    const { context } = test.board;
    expect(await closeDuePolls(context)).to.deep.equal({ closed: 6 });
    expect(await closeDuePolls(context)).to.deep.equal({ closed: 0 });
    const logged = (await pollEntries(test)).slice(before);
    expect(logged).to.have.length(cases.length);
    for (const [at, [poll, ballots, result, winner]] of cases.entries()) {
      const { id, rootId } = polls[at] ?? { id: 0, rootId: 0 };
      const options =
        'options' in poll ? poll.options : ['support', 'oppose', 'abstain'];
      const counts = options.map(
        (option) => ballots.filter((ballot) => ballot === option).length,
      );
      const entry = logged.find((each) => each.poll === id);
      expect(entry).to.deep.include({
        id: rootId,
        counts,
        voters: ballots.length,
        result,
        winner,
      });
      const text = winner === null ? null : options[winner];
      const { tally } = await stateOf(id);
      expect(tally).to.deep.equal({
        counts,
        voters: ballots.length,
        result,
        winner: text,
      });
      const events = await eventsOf(test, id);
      expect(events.at(-1)).to.deep.include({
        kind: 'closed',
        data: { result, winner: text, counts },
      });
      expect(events.filter(({ kind }) => kind === 'closed')).to.have.length(1);
    }
  });

  it('ends once, however many closers run (I8)', async () => {
    const other = await startBoard({
      clock: test.clock,
      databaseUrl: test.databaseUrl,
    });
    try {
      for (let round = 0; round < 5; round += 1) {
        const ids: number[] = [];
        for (let n = 0; n < 4; n += 1) {
          ids.push((await openPoll(test, { ...SURVEY, ...DAY })).id);
        }
        test.clock.advance(24 * HOUR_MS);
        const runs = await Promise.all(
          [test, test, other, other].map(({ board }) =>
            closeDuePolls(board.context),
          ),
        );
        const closed = runs.reduce((sum, run) => sum + run.closed, 0);
        expect(closed).to.equal(4);
        for (const id of ids) {
          const kinds = (await eventsOf(test, id)).map(({ kind }) => kind);
          expect(kinds).to.deep.equal(['opened', 'closed']);
          const mine = (await pollEntries(test)).filter(
            ({ poll }) => poll === id,
          );
          expect(mine).to.have.length(1);
        }
      }
    } finally {
      await other.stop();
    }
  });

  it('has a recorded end that a clock set back does not undo', async () => {
    const { id } = await openPoll(test, { ...SURVEY, ...DAY });
    const send = await ballotTicket(test, id, 'a');
    const now = test.clock.now();
    test.clock.advance(24 * HOUR_MS);
    await closeDuePolls(test.board.context);
    test.clock.set(now);
    expect((await stateOf(id)).state).to.equal('closed');
    const late = await castBallot(test, id, send);
    expect(late.body.error).to.equal('poll_closed');
    test.clock.set(now + 24 * HOUR_MS);
  });

  describe("a removed topic's poll", () => {
    const endPoll = ({ rootId }: Opened) =>
      test.board.context.ledger.append(async (turn) => {
        const ended = await voidPoll(turn, rootId, 3);
        const text = await takePollText(turn.tx, rootId);
        return () => ({ ended, text });
      });

    async function removeTopic(poll: Opened) {
      const done = await endPoll(poll);
      await removeRow(test, poll.rootId);
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
      expect((await endPoll(poll)).ended).to.equal(false);
      expect((await pollOf(poll)).close_reason).to.equal('topic_removed');
      const kinds = (await eventsOf(test, poll.id)).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind !== 'vote_accepted')).to.deep.equal([
        'opened',
        'voided',
      ]);
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
      const row = await rows(test).findOneByOrFail(Poll, { id: poll.id });
      expect(row).to.include({ question: PROPOSAL.question, summary });
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
  });
});
