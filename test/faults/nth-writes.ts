import { closeDuePolls } from '../../server/polls/close-poll.js';
import { UNLIMITED } from '../server/polls/polling.js';
import {
  currentPair,
  LIFTED_KEYS,
  newAgent,
  register,
  signed,
} from '../support/agent.js';
import type { TestBoard } from '../support/board.js';
import { decideTo } from '../support/decide.js';
import { publish, solve } from '../support/post.js';
import { freshNetwork, randomUUID } from '../support/random.js';
import { draft, post, type Reply, template } from '../support/wire.js';

/** Room for each of them, as often as it is tried. */
export const ROOM = {
  ...UNLIMITED,
  ...LIFTED_KEYS,
  reports_per_network_10_minutes: 1_000_000,
  reports_per_network_day: 1_000_000,
  reports_per_board_day: 1_000_000,
};

export type Write = {
  send(): Promise<Reply>;
  /** What is there of it, thing by thing: of each the same count. */
  traces: string;
  values: unknown[];
};

const SURVEY = { question: 'Which?', options: ['a', 'b'] };
const DAY_MS = 86_400_000;

const DONE: Reply = { status: 200, body: {}, retryAfter: null };
const AWAY: Reply = {
  status: 503,
  body: { error: 'unavailable' },
  retryAfter: '1',
};

/** What is no request fails by throwing. */
async function asReply(work: () => Promise<unknown>): Promise<Reply> {
  return await work().then(
    () => DONE,
    () => AWAY,
  );
}

const POSTED = `(SELECT count(*) FROM message WHERE request_id = $1),
  (SELECT count(*) FROM write_request WHERE request_id = $1),
  (SELECT count(*) FROM log_entry e JOIN message m ON m.log_index = e.idx
   WHERE e.origin_id = 0 AND e.type = 'post' AND m.request_id = $1)`;

type Writes = Readonly<Record<string, (test: TestBoard) => Promise<Write>>>;

export const WRITES: Writes = {
  'a topic with a poll': async ({ url }) => {
    const asked = { ...draft(null), poll: SURVEY };
    const ticket = template(await post(url, '/write/preview', asked));
    return {
      send: () => post(url, '/write/publish', ticket),
      traces: `SELECT ARRAY[${POSTED},
        (SELECT count(*) FROM poll p JOIN message m ON m.id = p.root_id
         WHERE m.request_id = $1),
        (SELECT count(*) FROM poll_event e JOIN poll p ON p.id = e.poll_id
         JOIN message m ON m.id = p.root_id WHERE m.request_id = $1)]::int[]`,
      values: [asked.request_id],
    };
  },
  'a reply': async (test) => {
    const { id } = (await publish(test)).message;
    const asked = draft(id);
    const ticket = template(await post(test.url, '/write/preview', asked));
    return {
      send: () => post(test.url, '/write/publish', ticket),
      traces: `SELECT ARRAY[${POSTED},
        (SELECT count(*) FROM message_search s JOIN message m
         ON m.id = s.message_id WHERE m.request_id = $1)]::int[]`,
      values: [asked.request_id],
    };
  },
  'a reply with a vote': async (test) => {
    const { id } = (await publish(test)).message;
    const asked = { ...draft(id), vote: 1 };
    const ticket = template(await post(test.url, '/write/preview', asked));
    return {
      send: () => post(test.url, '/write/publish', ticket),
      traces: `SELECT ARRAY[${POSTED},
        (SELECT count(*) FROM vote WHERE message_id = $2),
        (SELECT score FROM message WHERE id = $2)]::int[]`,
      values: [asked.request_id, id],
    };
  },
  'a signed topic': async (test) => {
    const agent = await register(test, { from: freshNetwork() });
    const asked = { ...draft(null), agent_id: agent.id };
    const previewed = await test.as().post('/write/preview').send(asked);
    const ticket = signed(previewed, currentPair(agent));
    return {
      send: () => post(test.url, '/write/publish', ticket),
      traces: `SELECT ARRAY[${POSTED}]::int[]`,
      values: [asked.request_id],
    };
  },
  'a rating': async (test) => {
    const { id } = (await publish(test)).message;
    const path = `/api/messages/${id}/votes`;
    const { body } = await post(test.url, `${path}/preview`, { vote: 1 });
    const send = { ticket: body.ticket, answer: solve(String(body.challenge)) };
    return {
      send: () => post(test.url, path, send),
      traces: `SELECT ARRAY[
        (SELECT count(*) FROM vote WHERE message_id = $1),
        (SELECT score FROM message WHERE id = $1)]::int[]`,
      values: [id],
    };
  },
  'a ballot': async (test) => {
    const opened = await publish(test, { poll: SURVEY });
    const { id } = opened.poll as { id: number };
    const path = `/api/polls/${id}/votes`;
    const asked = { option: 'a', request_id: randomUUID() };
    const { body } = await post(test.url, `${path}/preview`, asked);
    const send = { ticket: body.ticket, answer: solve(String(body.challenge)) };
    return {
      send: () => post(test.url, path, send),
      traces: `SELECT ARRAY[
        (SELECT count(*) FROM ballot WHERE poll_id = $1),
        (SELECT voters FROM poll WHERE id = $1), (SELECT counts[1] FROM poll
         WHERE id = $1), (SELECT count(*) FROM poll_event
         WHERE poll_id = $1 AND kind = 'vote_accepted')]::int[]`,
      values: [id],
    };
  },
  'a key': async ({ url }) => {
    const agent = newAgent();
    return {
      send: () => post(url, '/api/keys', { note: agent.notes[0] }),
      traces: `SELECT ARRAY[
        (SELECT count(*) FROM agent_key WHERE agent_id = $1),
        (SELECT count(*) FROM log_entry WHERE type = 'key'
         AND agent_id = $1)]::int[]`,
      values: [agent.id],
    };
  },
  'a report': async (test) => {
    const { id } = (await publish(test)).message;
    const request_id = randomUUID();
    const about = { kind: 'report', message_id: id, reason: 'spam' };
    return {
      send: () => post(test.url, '/api/reports', { ...about, request_id }),
      traces: `SELECT ARRAY[
        (SELECT count(*) FROM report WHERE request_id = $1)]::int[]`,
      values: [request_id],
    };
  },
};

/** The writes that are no request of an agent. */
export const INNER_WRITES: Writes = {
  'a removal': async (test) => {
    const { id } = (await publish(test)).message;
    return {
      send: () => asReply(() => decideTo.remove(test, id)),
      traces: `SELECT ARRAY[
        (SELECT count(*) FROM decision WHERE message_id = $1),
        (SELECT count(*) FROM message WHERE id = $1 AND body IS NULL),
        (SELECT count(*) FROM sealed_content WHERE message_id = $1),
        (SELECT count(*) FROM decision d JOIN log_entry e
         ON e.idx = d.log_index AND e.origin_id = 0
         WHERE d.message_id = $1)]::int[]`,
      values: [id],
    };
  },
  'the end of a poll': async (test) => {
    const poll = { ...SURVEY, duration_hours: 24 };
    const opened = await publish(test, { poll });
    const { id } = opened.poll as { id: number };
    test.clock.advance(DAY_MS);
    return {
      send: () => asReply(() => closeDuePolls(test.board.context)),
      traces: `SELECT ARRAY[
        (SELECT count(*) FROM poll WHERE id = $1 AND closed_at IS NOT NULL),
        (SELECT count(*) FROM poll_event
         WHERE poll_id = $1 AND kind = 'closed')]::int[]`,
      values: [id],
    };
  },
};
