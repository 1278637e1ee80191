import { LIMIT_DEFAULTS, type LimitName } from '../../server/limits.js';
import { report } from '../server/moderation/reports/reporting.js';
import { ballotTicket, openPoll, SURVEY } from '../server/polls/polling.js';
import { currentPair, newAgent, register, signed } from '../support/agent.js';
import { startBoard, type TestBoard } from '../support/board.js';
import { checkLedger } from '../support/check-ledger.js';
import { FULL } from '../support/full.js';
import { publish } from '../support/post.js';
import { freshNetwork, randomUUID } from '../support/random.js';
import {
  atOnce,
  draft,
  post,
  type Reply,
  tally,
  ticketFor,
} from '../support/wire.js';
import { ROOM } from './nth-writes.js';
import { recordFaults } from './report.js';

/** The same request, as often as it is asked for. */
type Send = () => Promise<Reply>;

type Burst = {
  limit: LimitName;
  /** What is asked counts, not what is written: exact retries too. */
  attempts?: true;
  /** It counts from midnight; the others in a rolling window. */
  daily?: true;
  /** Makes that many different requests; one or two do for attempts. */
  sends: (test: TestBoard, different: number) => Promise<Send[]>;
};

const one = () => '203.0.113.9';

const posts =
  (asked: (root: number) => object, from = one) =>
  async (test: TestBoard, different: number): Promise<Send[]> => {
    const root = (await publish(test, {}, freshNetwork())).message.id;
    return await atOnce(different, async () => {
      const ticket = await ticketFor(test.url, asked(root), freshNetwork());
      const network = from();
      return () => post(test.url, '/write/publish', ticket, network);
    });
  };

const reply = (root: number) => draft(root);
const topic = () => draft(null);
const poll = () => ({ ...draft(null), poll: SURVEY });

async function previews({ url }: TestBoard): Promise<Send[]> {
  const asked = draft(null);
  return [() => post(url, '/write/preview', asked, one())];
}

async function signedPosts(
  test: TestBoard,
  different: number,
): Promise<Send[]> {
  const agent = await register(test);
  const root = (await publish(test, {}, freshNetwork())).message.id;
  return await atOnce(different, async () => {
    const from = freshNetwork();
    const asked = { ...draft(root), agent_id: agent.id };
    const { body } = await post(test.url, '/write/preview', asked, from);
    const previewed = { body } as unknown as Parameters<typeof signed>[0];
    const send = signed(previewed, currentPair(agent));
    return () => post(test.url, '/write/publish', send, from);
  });
}

/** Each in a poll of its own. */
async function ballots(test: TestBoard, different: number): Promise<Send[]> {
  return await atOnce(different, async () => {
    const { id } = await openPoll(test, SURVEY, {}, freshNetwork());
    const send = await ballotTicket(test, id, 'a', one());
    return () => post(test.url, `/api/polls/${id}/votes`, send, one());
  });
}

/** All in one poll, each of its own network. */
async function ballotsOfMany(
  test: TestBoard,
  different: number,
): Promise<Send[]> {
  const { id } = await openPoll(test);
  return await atOnce(different, async () => {
    const from = freshNetwork();
    const send = await ballotTicket(test, id, 'a', from);
    return () => post(test.url, `/api/polls/${id}/votes`, send, from);
  });
}

const ballotPreviews =
  (from: () => string) =>
  async (test: TestBoard): Promise<Send[]> => {
    const { id } = await openPoll(test);
    const path = `/api/polls/${id}/votes/preview`;
    const send = { option: 'a', request_id: randomUUID() };
    return [() => post(test.url, path, send, from())];
  };

const ballotAttempts =
  (from: () => string) =>
  async (test: TestBoard): Promise<Send[]> => {
    const { id } = await openPoll(test);
    const path = `/api/polls/${id}/votes`;
    const send = await ballotTicket(test, id, 'a', one());
    const other = { ticket: 'x', answer: 'x' };
    return [
      () => post(test.url, path, send, from()),
      () => post(test.url, path, other, from()),
    ];
  };

const reports =
  (from: () => string) =>
  async (test: TestBoard, different: number): Promise<Send[]> => {
    await publish(test, {}, freshNetwork());
    return await atOnce(different, async () => {
      const [send, network] = [report(), from()];
      return () => post(test.url, '/api/reports', send, network);
    });
  };

const keys =
  (from: () => string) =>
  async (test: TestBoard, different: number): Promise<Send[]> =>
    await atOnce(different, async () => {
      const [[note], network] = [newAgent().notes, from()];
      return () => post(test.url, '/api/keys', { note }, network);
    });

/** Every limit of what is written or asked for before it is. */
const BURSTS: readonly Burst[] = [
  { limit: 'previews_per_network_hour', attempts: true, sends: previews },
  {
    limit: 'publish_attempts_per_network_minute',
    attempts: true,
    sends: posts(reply),
  },
  { limit: 'writes_per_network_minute', sends: posts(reply) },
  { limit: 'writes_per_network_hour', sends: posts(reply) },
  { limit: 'writes_per_board_minute', sends: posts(reply, freshNetwork) },
  { limit: 'topics_per_source_hour', sends: posts(topic) },
  { limit: 'topics_per_source_day', daily: true, sends: posts(topic) },
  { limit: 'writes_per_key_minute', sends: signedPosts },
  { limit: 'writes_per_key_hour', sends: signedPosts },
  { limit: 'open_polls_max', sends: posts(poll, freshNetwork) },
  { limit: 'ballots_per_network_minute', sends: ballots },
  { limit: 'ballots_per_network_hour', sends: ballots },
  { limit: 'ballots_per_board_minute', sends: ballotsOfMany },
  {
    limit: 'ballot_previews_per_network_hour',
    attempts: true,
    sends: ballotPreviews(one),
  },
  {
    limit: 'ballot_previews_per_board_minute',
    attempts: true,
    sends: ballotPreviews(freshNetwork),
  },
  {
    limit: 'ballot_attempts_per_network_minute',
    attempts: true,
    sends: ballotAttempts(one),
  },
  {
    limit: 'ballot_attempts_per_board_minute',
    attempts: true,
    sends: ballotAttempts(freshNetwork),
  },
  { limit: 'reports_per_network_10_minutes', sends: reports(one) },
  { limit: 'keys_per_network_hour', sends: keys(one) },
  { limit: 'keys_per_board_hour', sends: keys(freshNetwork) },
];

/** So many different ones, each of them twice. */
const DIFFERENT = FULL ? 100 : 24;
/** The most that a limit lets pass here. */
const ROOM_MAX = FULL ? Number.POSITIVE_INFINITY : DIFFERENT / 2;
const MIDNIGHT = Date.UTC(2026, 0, 16);

/** B5: half is spent before midnight, then each is sent twice, and again. */
describe(`${2 * DIFFERENT} requests at once against one limit`, () => {
  async function send(sends: readonly Send[], n: number): Promise<Reply> {
    const one = sends[n % sends.length];
    if (one === undefined) throw new Error('nothing to send');
    return await one();
  }

  /** How many had room; the others were refused for want of just that. */
  function within(replies: readonly Reply[], limit: LimitName): number {
    const refused = replies.filter(({ status }) => status === 429);
    const scopes = new Set(refused.map(({ body }) => body.scope));
    scopes.delete(limit);
    expect([...scopes]).to.deep.equal([]);
    return replies.length - refused.length;
  }

  function done(replies: readonly Reply[], limit: LimitName) {
    within(replies, limit);
    const { 429: _, ...others } = tally(replies);
    return others;
  }

  for (const { limit, attempts, daily, sends: prepared } of BURSTS) {
    it(`${limit}: no more than it says, at midnight too`, async () => {
      const room = Math.min(LIMIT_DEFAULTS[limit], ROOM_MAX);
      const limits = { ...ROOM, [limit]: room };
      const test = await startBoard({ limits });
      const half = Math.floor(room / 2);
      // Tickets last for ten minutes.
      test.clock.set(MIDNIGHT - 120_000);
      const sends = await prepared(test, DIFFERENT);
      const burst = () => atOnce(2 * DIFFERENT, (n) => send(sends, n >> 1));
      test.clock.set(MIDNIGHT - 500);
      const evening = await atOnce(half, (n) => send(sends, n));
      expect(within(evening, limit)).to.equal(half);

      test.clock.set(MIDNIGHT + 500);
      const left = daily ? room : room - half;
      const after = await burst();
      const again = await burst();
      if (attempts) {
        expect(within(after, limit)).to.equal(left);
        expect(within(again, limit)).to.equal(0);
      } else {
        const old = 2 * half + left;
        expect(done(after, limit)).to.deep.equal({ 200: old, 201: left });
        expect(done(again, limit)).to.deep.equal({ 200: old + left });
      }
      const faults = half + after.length + again.length;
      const acked = attempts ? 0 : half + left;
      await recordFaults({ test: `B5 ${limit}`, faults, acked });
      await checkLedger(test);
      await test.stop();
    });
  }
});
