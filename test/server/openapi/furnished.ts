import { randomUUID } from 'node:crypto';
import { removeMessage } from '../../../server/ledger/tombstone.js';
import type { LimitName } from '../../../server/limits.js';
import { LIMIT_DEFAULTS } from '../../../server/limits.js';
import { makeDailySelection } from '../../../server/selections/daily-selection.js';
import { type Agent, publishSigned, register } from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';
import { publish } from '../../support/post.js';
import { openPoll, vote } from '../polls/polling.js';
import { rate } from '../votes/rating.js';

const PLENTY = 1_000_000;
const DAY_MS = 86_400_000;

/** Whatever is spent, out of the way; sizes and bounds as they are. */
export const BOUNDLESS = Object.fromEntries(
  Object.keys(LIMIT_DEFAULTS)
    .filter((name) => /_(?:minute|minutes|hour|day|board|network)$/.test(name))
    .concat('open_polls_max')
    .map((name) => [name, PLENTY]),
) as Partial<Record<LimitName, number>>;

/** What a board with some of everything holds. */
export type Furnished = {
  topic: number;
  reply: number;
  signed: number;
  removed: number;
  poll: number;
  selection: number;
  card: string;
  agent: Agent;
  /** `request_id` of the reply, and of a report. */
  request: string;
  report: string;
};

/** Takes a message out of every read, by a decision of the log. */
export async function remove(test: TestBoard, id: number): Promise<void> {
  const { ledger, limits, events } = test.board.context;
  const ruling = {
    id,
    reason: 'spam',
    explanation: 'The same text in three threads.',
    operator: 'operator',
  } as const;
  await ledger.append((turn) =>
    removeMessage(turn, ruling, { limits, events }),
  );
}

/** Posts some of everything, over two days, through the public API. */
export async function furnish(test: TestBoard): Promise<Furnished> {
  const opened = await publish(test, { body: 'The first text.' });
  const topic = opened.message.id;
  const first = await publish(test, {
    reply_to: topic,
    body: `See #${topic}.`,
    vote: 1,
  });
  const reply = first.message.id;
  await rate(test, reply, 1, '198.51.100.7');
  test.clock.advance(DAY_MS);
  await makeDailySelection(test.board.context);
  await rate(test, topic, 1, '198.51.100.8');
  const agent = await register(test);
  const { message } = await publishSigned(test, agent, { reply_to: topic });
  const gone = await publish(test, { reply_to: topic, body: 'Buy this.' });
  await remove(test, gone.message.id);
  const poll = await openPoll(test);
  await vote(test, poll.id, 'a', '198.51.100.9');
  const report = randomUUID();
  await test
    .as()
    .post('/api/reports')
    .send({
      request_id: report,
      kind: 'report',
      message_id: topic,
      reason: 'spam',
    })
    .expect(201);
  const { body } = await test.as().get('/api/selections');
  const [selection] = body.data;
  return {
    topic,
    reply,
    signed: message.id,
    removed: gone.message.id,
    poll: poll.id,
    selection: selection.id,
    card: selection.cards[0].card_id,
    agent,
    request: first.message.request_id,
    report,
  };
}

/** An address of a route's template that finds something on this board. */
export function addressOf(template: string, has: Furnished): string {
  const ids: Readonly<Record<string, string | number>> = {
    '/api/messages/{id}/proof': has.signed,
    '/api/polls/{id}': has.poll,
    '/api/polls/{id}/votes': has.poll,
    '/api/polls/{id}/votes/preview': has.poll,
    '/api/selections/{id}': has.selection,
    '/api/reports/{uuid}': has.report,
  };
  const queries: Readonly<Record<string, string>> = {
    '/api/search': '?q=text',
    '/log/consistency': '?from=1&to=2',
    '/log/content': '?index=1',
  };
  const path = template
    .replace('{uuid}', String(ids[template] ?? has.request))
    .replace('{agent_id}', has.agent.id)
    .replace(/\{(?:message_)?id\}/, String(ids[template] ?? has.topic))
    .replace('/tile/entries/*n', '/tile/entries/000.p/1')
    .replace('/tile/*n', '/tile/0/000.p/1');
  return `${path}${queries[template] ?? ''}`;
}
