import type { Signer } from '../../../../protocol/note.js';
import type { Room } from '../../../../protocol/room.js';
import { boardKeys } from '../../../../server/ledger/board-keys.js';
import type { LimitName } from '../../../../server/limits.js';
import { type HandIn, relayBody } from '../../../mesh/relay/hand-in.js';
import { addKnown } from '../../../mesh/relay/linked-boards.js';
import {
  type Agent,
  advance,
  currentPair,
  newAgent,
  register,
  signed,
} from '../../../support/agent.js';
import type { TestBoard } from '../../../support/board.js';
import { filled, preview } from '../../../support/post.js';
import { randomUUID } from '../../../support/random.js';
import { ballotTicket, SURVEY } from '../../polls/polling.js';
import { ratingTicket } from '../../votes/rating.js';
import type { Declared } from './declared.js';
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
  '/api/reports': async (_, { has }) => [reportOf(has)],
  '/report': async (_, { has }) => [reportOf(has)],
  '/api/mesh/hint': async (_, { has }) => [
    { origin: `${has.mirrored.name}/log`, size: 1 },
  ],
  '/api/mesh/relay': async (test, { has }) => {
    const relayed = await relaying(test);
    const parent = await hashOf(test, has.topic);
    const rotated = newAgent();
    advance(rotated, 'rotate');
    const poll = { question: 'Q?', options: ['a', 'b'], duration_hours: 24 };
    return [
      relayed(newAgent(), {}),
      relayed(newAgent(), { content: { poll } }),
      relayed(newAgent(), { statement: parent }),
      relayed(rotated, {}),
    ];
  },
};

const reportOf = (has: Furnished) => ({
  request_id: randomUUID(),
  kind: 'report',
  message_id: has.topic,
  reason: 'spam',
});

const PEER = 'board-p.example';
let node: Signer | null = null;

/** Bodies of a peer of the board, which it becomes the first time. */
async function relaying(test: TestBoard) {
  const { writes, board } = test.board.context;
  if (node === null) {
    const boardSeed = 'ab'.repeat(32);
    const seeds = { boardSeed, logKey: null, mirrorKey: null, nodeKey: null };
    const keys = boardKeys(seeds, PEER, `${PEER}/log`);
    await addKnown(writes, { name: PEER, url: 'http://127.0.0.1:9', keys });
    node = keys.node;
  }
  const signer = node;
  return (agent: Agent, it: HandIn) =>
    relayBody({ b: test, clock: test.clock }, agent, {
      ...it,
      node: signer,
      statement: { board: board.name, ...it.statement },
      relay: { from: PEER, to: board.name },
    });
}

async function hashOf(test: TestBoard, id: number) {
  const [row] = await test.board.context.reads.query<{
    hash: Buffer;
    room: Room;
  }>('SELECT message_hash AS hash, room FROM message WHERE id = $1', [id]);
  if (row === undefined) throw new Error('no parent');
  return { parent: { id, hash: row.hash }, room: row.room };
}

/** A request that waits: a post for a board that never answers. */
async function pendingRequest(test: TestBoard): Promise<string> {
  const requestId = randomUUID();
  await test.board.context.writes.query(
    `INSERT INTO relay_outbox (request_id, board, agent_id, content_hash,
       state, message_hash, note, content, day, tag, tag_next, spent_scopes,
       spent_keys, spent_at, dated_at, updated_at, next_at)
     VALUES ($1, 'board-q.example', 'a1', $2, 'pending', $2, 'note', '{}', '',
       $3, $3, '{}', '{}', 0, $4, $4, $4)`,
    [requestId, Buffer.alloc(32), Buffer.alloc(16), 8e15],
  );
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
  const media = Object.values(operation?.requestBody?.content ?? {});
  const examples = async () => media.map(({ example }) => example as object);
  const bodies = await (BODIES[template] ?? examples)(test, it);
  return bodies.map((body) => ({ path, body }));
}
