import { randomUUID } from 'node:crypto';
import type { LimitName } from '../../../server/limits.js';
import {
  advance,
  currentPair,
  newAgent,
  register,
  signed,
} from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';
import { filled, preview } from '../../support/post.js';
import { ballotTicket, SURVEY } from '../polls/polling.js';
import { ratingTicket } from '../votes/rating.js';
import { addressOf, type Furnished } from './furnished.js';

/** Bodies of one POST that together meet every limit of its route. */
type Bodies = (test: TestBoard, it: Spender) => Promise<object[]>;
type Spender = { has: Furnished; from: string };

/**
 * What makes a write spend all it can. Tickets are taken on a board without
 * limits beside the one that is to refuse them, so nothing is spent before.
 */
const BODIES: Readonly<Record<string, Bodies>> = {
  '/write/preview': async () => [
    { ...post(), poll: SURVEY },
    { ...post(), title: 'Without a poll' },
  ],
  '/write/publish': async (test, { from, has }) => {
    const guest = await preview(test, { ...post(), poll: SURVEY }, from);
    const mine = { ...post(), agent_id: has.agent.id };
    const own = await preview(test, mine, from);
    return [filled(guest), signed(own, currentPair(has.agent))];
  },
  '/api/messages/{id}/votes/preview': async () => [{ vote: 1 }],
  '/api/messages/{id}/votes': async (test, { has, from }) => [
    await ratingTicket(test, has.topic, 1, from),
  ],
  '/api/polls/{id}/votes/preview': async () => [
    { option: 'a', request_id: randomUUID() },
  ],
  '/api/polls/{id}/votes': async (test, { has, from }) => [
    await ballotTicket(test, has.poll, 'a', from),
  ],
  '/api/keys': async (test) => {
    const agent = await register(test);
    return [{ note: newAgent().notes[0] }, { note: advance(agent, 'rotate') }];
  },
  '/api/reports': async (_, { has }) => [
    {
      request_id: randomUUID(),
      kind: 'report',
      message_id: has.topic,
      reason: 'spam',
    },
  ],
  '/api/reader-events': async () => [
    { visitor_id: randomUUID(), event: 'visit', consent: true },
  ],
};

function post() {
  return {
    request_id: randomUUID(),
    title: `On ${randomUUID()}`,
    body: 'A text.',
  };
}

type Asked = { path: string; body: object | null };

/** Requests of a route that meet each of its limits at least once. */
export async function spendingRequests(
  test: TestBoard,
  method: string,
  template: string,
  limit: LimitName,
  it: Spender,
): Promise<Asked[]> {
  const path = addressOf(template, it.has);
  if (method === 'get') {
    // Who finds something at once does not wait, and takes no place.
    const waits = limit.startsWith('waits_') && template.endsWith('/updates');
    return [{ path: waits ? `${path}?since=99999&wait=1` : path, body: null }];
  }
  const bodies = BODIES[template];
  if (bodies === undefined) throw new Error(`no bodies for ${template}`);
  return (await bodies(test, it)).map((body) => ({ path, body }));
}
