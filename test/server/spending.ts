import type { LimitName } from '../../server/limits.js';
import {
  advance,
  currentPair,
  newAgent,
  register,
  signed,
} from '../support/agent.js';
import type { TestBoard } from '../support/board.js';
import { publish } from '../support/post.js';
import { freshNetwork, randomUUID } from '../support/random.js';
import { draft, post, type Reply, ticketFor } from '../support/wire.js';
import { report } from './moderation/reports/reporting.js';
import { ballotTicket, openPoll, SURVEY } from './polls/polling.js';

export type Send = () => Promise<Reply>;

type Maker = () => Promise<Send>;

export type Spending = {
  limit: LimitName;
  /** How long it counts, or from midnight on; null: as long as it is there. */
  windowMs: number | 'day' | null;
  error?: 'topic_budget_exhausted';
  /** What is asked counts, not what is written: exact retries too. */
  attempts?: true;
  maker: (test: TestBoard) => Promise<Maker>;
};

const one = () => '203.0.113.9';

const posts =
  (asked: (root: number) => object, from = one) =>
  async (test: TestBoard): Promise<Maker> => {
    const root = (await publish(test, {}, freshNetwork())).message.id;
    return async () => {
      const ticket = await ticketFor(test.url, asked(root), freshNetwork());
      const network = from();
      return () => post(test.url, '/write/publish', ticket, network);
    };
  };

const reply = (root: number) => draft(root);
const topic = () => draft(null);
const poll = () => ({ ...draft(null), poll: SURVEY });

const attempt =
  (path: (poll: number) => string, asked: () => object, from = one) =>
  async (test: TestBoard): Promise<Maker> => {
    const { id } = await openPoll(test, SURVEY, {}, freshNetwork());
    const send = asked();
    return async () => () => post(test.url, path(id), send, from());
  };

const signedPosts =
  (asked: (root: number) => object) =>
  async (test: TestBoard): Promise<Maker> => {
    const agent = await register(test);
    const root = (await publish(test, {}, freshNetwork())).message.id;
    return async () => {
      const from = freshNetwork();
      const words = { ...asked(root), agent_id: agent.id };
      const { body } = await post(test.url, '/write/preview', words, from);
      const previewed = { body } as unknown as Parameters<typeof signed>[0];
      const send = signed(previewed, currentPair(agent));
      return () => post(test.url, '/write/publish', send, from);
    };
  };

const ballots =
  async (test: TestBoard): Promise<Maker> =>
  async () => {
    const { id } = await openPoll(test, SURVEY, {}, freshNetwork());
    const send = await ballotTicket(test, id, 'a', one());
    return () => post(test.url, `/api/polls/${id}/votes`, send, one());
  };

async function ballotsOfMany(test: TestBoard): Promise<Maker> {
  const { id } = await openPoll(test);
  return async () => {
    const from = freshNetwork();
    const send = await ballotTicket(test, id, 'a', from);
    return () => post(test.url, `/api/polls/${id}/votes`, send, from);
  };
}

const ballotPreviews = (from: () => string) =>
  attempt(
    (poll) => `/api/polls/${poll}/votes/preview`,
    () => ({ option: 'a', request_id: randomUUID() }),
    from,
  );

/** By turns with a ticket, exact retries too, and with none. */
const ballotAttempts =
  (from: () => string) =>
  async (test: TestBoard): Promise<Maker> => {
    const { id } = await openPoll(test, SURVEY, {}, freshNetwork());
    const both = [
      await ballotTicket(test, id, 'a', one()),
      { ticket: 'x', answer: 'x' },
    ];
    return async () => {
      const [send = {}] = both.reverse();
      return () => post(test.url, `/api/polls/${id}/votes`, send, from());
    };
  };

const reports =
  (from: () => string) =>
  async (test: TestBoard): Promise<Maker> => {
    const message_id = (await publish(test, {}, freshNetwork())).message.id;
    return async () => {
      const [send, network] = [report({ message_id }), from()];
      return () => post(test.url, '/api/reports', send, network);
    };
  };

const keys = (from: () => string) => async (test: TestBoard) => async () => {
  const [[note], network] = [newAgent().notes, from()];
  return () => post(test.url, '/api/keys', { note }, network);
};

/** In their order: what is refused comes again. */
export async function rotations(test: TestBoard): Promise<Maker> {
  const agent = await register(test);
  let note = advance(agent, 'rotate');
  return async () => async () => {
    const answer = await post(test.url, '/api/keys', { note }, freshNetwork());
    if (answer.status === 201) note = advance(agent, 'rotate');
    return answer;
  };
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const error = 'topic_budget_exhausted';

const row = (
  limit: LimitName,
  windowMs: Spending['windowMs'],
  maker: Spending['maker'],
  more: Pick<Spending, 'error' | 'attempts'> = {},
): Spending => ({ limit, windowMs, maker, ...more });

const attempts = true;
const previews = attempt(
  () => '/write/preview',
  () => draft(null),
);

export const SPENDINGS: readonly Spending[] = [
  row('previews_per_network_hour', HOUR, previews, { attempts }),
  row('publish_attempts_per_network_minute', MINUTE, posts(reply), {
    attempts,
  }),
  row('writes_per_network_minute', MINUTE, posts(reply)),
  row('writes_per_network_hour', HOUR, posts(reply)),
  row('writes_per_board_minute', MINUTE, posts(reply, freshNetwork)),
  row('topics_per_source_hour', HOUR, posts(topic), { error }),
  row('topics_per_source_day', 'day', posts(topic), { error }),
  row('writes_per_key_minute', MINUTE, signedPosts(reply)),
  row('writes_per_key_hour', HOUR, signedPosts(reply)),
  row('ballots_per_network_minute', MINUTE, ballots),
  row('ballots_per_network_hour', HOUR, ballots),
  row('ballots_per_board_minute', MINUTE, ballotsOfMany),
  row('ballot_previews_per_network_hour', HOUR, ballotPreviews(one), {
    attempts,
  }),
  row(
    'ballot_previews_per_board_minute',
    MINUTE,
    ballotPreviews(freshNetwork),
    {
      attempts,
    },
  ),
  row('ballot_attempts_per_network_minute', MINUTE, ballotAttempts(one), {
    attempts,
  }),
  row(
    'ballot_attempts_per_board_minute',
    MINUTE,
    ballotAttempts(freshNetwork),
    {
      attempts,
    },
  ),
  row('open_polls_max', null, posts(poll, freshNetwork)),
  row('reports_per_network_10_minutes', 10 * MINUTE, reports(one)),
  row('reports_per_network_day', 'day', reports(one)),
  row('reports_per_board_day', 'day', reports(freshNetwork)),
  row('keys_per_network_hour', HOUR, keys(one)),
  row('keys_per_board_hour', HOUR, keys(freshNetwork)),
];
