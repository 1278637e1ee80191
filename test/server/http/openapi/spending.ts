import type { Room } from '../../../../protocol/room.js';
import { Message } from '../../../../server/db/entities/message.js';
import { RelayOutbox } from '../../../../server/db/entities/relay-outbox.js';
import type { LimitName } from '../../../../server/limits.js';
import {
  advance,
  currentPair,
  newAgent,
  register,
  signed,
} from '../../../support/agent.js';
import type { TestBoard } from '../../../support/board.js';
import { filled, preview } from '../../../support/post.js';
import { randomUUID } from '../../../support/random.js';
import { rows } from '../../../support/rows.js';
import { ballotTicket, SURVEY } from '../../polls/polling.js';
import { ratingTicket } from '../../votes/rating.js';
import type { Declared } from './declared.js';
import { addressOf, type Furnished, peerOf } from './furnished.js';

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
  '/api/reports': async (_, { has }) => [reportOf(has)],
  '/report': async (_, { has }) => [reportOf(has)],
  '/api/mesh/hint': async (_, { has }) => [
    { origin: `${has.mirrored.name}/log`, size: 1 },
  ],
  '/api/mesh/relay': async (test, { has }) => {
    const { relayed } = await peerOf(test);
    const parent = await hashOf(test, has.topic);
    const rotated = newAgent();
    advance(rotated, 'rotate');
    const poll = { question: 'Q?', options: ['a', 'b'], duration_hours: 24 };
    return [
      relayed(newAgent()),
      relayed(newAgent(), { content: { poll } }),
      relayed(newAgent(), { statement: parent }),
      relayed(rotated),
    ];
  },
};

const reportOf = (has: Furnished) => ({
  request_id: randomUUID(),
  kind: 'report',
  message_id: has.topic,
  reason: 'spam',
});

async function hashOf(test: TestBoard, id: number) {
  const { messageHash: hash, room } = await rows(test).findOneByOrFail(
    Message,
    { id },
  );
  return { parent: { id, hash }, room: room as Room };
}

/** A request that waits: a post for a board that never answers. */
async function pendingRequest(test: TestBoard): Promise<string> {
  const requestId = randomUUID();
  const [hash, tag, later] = [Buffer.alloc(32), Buffer.alloc(16), 8e15];
  await rows(test).insert(RelayOutbox, {
    ...{ requestId, board: 'board-q.example', agentId: 'a1', note: 'note' },
    ...{ contentHash: hash, messageHash: hash, content: '{}', day: '' },
    ...{ tag, tagNext: tag, spentScopes: [], spentKeys: [], spentAt: 0 },
    ...{ state: 'pending', datedAt: later, updatedAt: later, nextAt: later },
  });
  return requestId;
}

function post() {
  return {
    request_id: randomUUID(),
    title: `On ${randomUUID()}`,
    body: 'A text.',
  };
}

type Asked = { path: string; body: object | null };

/**
 * Requests of a route that meet each of its limits at least once, of those on
 * waiting only `limit`.
 */
export async function spendingRequests(
  test: TestBoard,
  { method, path: template, operation }: Declared,
  limit: LimitName | null,
  it: Spender,
): Promise<Asked[]> {
  const path = addressOf(template, it.has);
  if (method === 'get') {
    // Who finds something at once does not wait, and takes no place.
    if (limit?.startsWith('waits_') && template === '/api/requests/{uuid}') {
      const requestId = await pendingRequest(test);
      return [{ path: `/api/requests/${requestId}?wait=1`, body: null }];
    }
    if (limit?.startsWith('mesh_waits_') && template.endsWith('/feed')) {
      const log = path.replace(/\/feed.*$/, '');
      const { text } = await test.as().get(`${log}/checkpoint`);
      const size = Number(text.split('\n')[1]);
      return [{ path: `${log}/feed?from=${size}&wait=1`, body: null }];
    }
    const waits =
      /^(?:mesh_)?waits_/.test(limit ?? '') && template.endsWith('/updates');
    return [{ path: waits ? `${path}?since=99999&wait=1` : path, body: null }];
  }
  // An example is enough where nothing has to be there before.
  const media = Object.values(operation.requestBody?.content ?? {});
  const examples = async () => media.map(({ example }) => example as object);
  const bodies = await (BODIES[template] ?? examples)(test, it);
  return bodies.map((body) => ({ path, body }));
}
