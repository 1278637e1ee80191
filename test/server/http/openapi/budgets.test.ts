import type { Room } from '../../../../protocol/room.js';
import { Message } from '../../../../server/db/entities/message.js';
import { RelayOutbox } from '../../../../server/db/entities/relay-outbox.js';
import { LIMIT_DEFAULTS, type LimitName } from '../../../../server/limits.js';
import { FEED_STYLE, ICON, STYLE } from '../../../../server/site/assets.js';
import {
  advance,
  currentPair,
  newAgent,
  register,
  signed,
} from '../../../support/agent.js';
import {
  BASE_URL,
  startBoard,
  type TestBoard,
} from '../../../support/board.js';
import { givenBoard } from '../../../support/hooks.js';
import { withLimits } from '../../../support/limits.js';
import { filled, preview } from '../../../support/post.js';
import { randomUUID } from '../../../support/random.js';
import { rows } from '../../../support/rows.js';
import { ballotTicket, SURVEY } from '../../polls/polling.js';
import { ratingTicket } from '../../votes/rating.js';
import { type Declared, declaredRoutes, nameOf } from './declared.js';
import {
  addressOf,
  BOUNDLESS,
  type Furnished,
  furnish,
  peerOf,
} from './furnished.js';

type Bodies = (test: TestBoard, it: Spender) => Promise<object[]>;
type Spender = { has: Furnished; from: string };

/** Tickets come from a board without limits, so nothing is spent before. */
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

/** Requests that meet each limit of a route; of those on waiting `limit`. */
async function spendingRequests(
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
      /^(?:mesh_)?waits_/.test(limit ?? '') &&
      /\/(?:updates|inbox|inbox\/\{agent_id\})$/.test(template);
    const more = path.includes('?') ? '&' : '?';
    const waiting = `${path}${more}since=99999&wait=1`;
    return [{ path: waits ? waiting : path, body: null }];
  }
  // An example is enough where nothing has to be there before.
  const media = Object.values(operation.requestBody?.content ?? {});
  const examples = async () => media.map(({ example }) => example as object);
  const bodies = await (BODIES[template] ?? examples)(test, it);
  return bodies.map((body) => ({ path, body }));
}

/** What is spent by asking; the other limits are sizes and bounds. */
const SPENT = Object.keys(BOUNDLESS) as LimitName[];

/** Limits of what a peer sends, not of a route. */
const ELSEWHERE = /^mesh_(?:peer|backfill)_/;

/** §R2 30: one table of routes and budgets, held to the board. */
describe('the table of routes and budgets', () => {
  const test = givenBoard({ limits: BOUNDLESS });
  let has: Furnished;
  let table: Declared[];
  let tight: TestBoard;
  before(async () => {
    has = await furnish(test);
    table = await declaredRoutes(test);
    const { databaseUrl, clock } = test;
    tight = await startBoard({ limits: BOUNDLESS, databaseUrl, clock });
  });
  after(() => tight.stop());

  it('gives every read and all that writes to a network a limit', () => {
    const free = table.filter(({ spends }) => spends.length === 0).map(nameOf);
    expect(free).to.have.members([
      'get /healthz',
      'get /readyz',
      `get ${STYLE.path}`,
      `get ${ICON.path}`,
      `get ${FEED_STYLE.path}`,
      'get /favicon.ico',
    ]);
  });

  it('names every limit that is spent', () => {
    const named = new Set(table.flatMap(({ spends }) => spends));
    const spent = SPENT.filter((name) => !ELSEWHERE.test(name));
    expect([...named]).to.have.members(spent);
    expect(Object.keys(LIMIT_DEFAULTS)).to.include.members([...named]);
  });

  for (const limit of SPENT) {
    it(`refuses by ${limit} on each route that names it`, async () => {
      await withLimits(tight, { [limit]: 0 }, async (from) => {
        const rows = table.filter(({ spends }) => spends.includes(limit));
        // Reads first: who waits at the end of a log must not see it grow.
        for (const reads of [true, false]) {
          const some = rows.filter(
            ({ method }) => (method === 'get') === reads,
          );
          const met = await Promise.all(
            some.map((row) => refused(row, limit, from)),
          );
          expect(some.filter((_, at) => !met[at])).to.eql([]);
        }
      });
    });
  }

  it('refuses by no limit that a route does not name', async () => {
    const groups = new Map<string, Declared[]>();
    for (const row of table) {
      const key = row.spends.join();
      groups.set(key, [...(groups.get(key) ?? []), row]);
    }
    for (const rows of groups.values()) {
      const named: readonly string[] = rows[0]?.spends ?? [];
      const others = SPENT.filter((limit) => !named.includes(limit));
      const none = Object.fromEntries(others.map((limit) => [limit, 0]));
      await withLimits(tight, none, async (from) => {
        const waits = named.filter((limit) => limit.includes('waits_'));
        const forms = [null, ...waits] as (LimitName | null)[];
        for (const reads of [true, false]) {
          const some = rows
            .filter(({ method }) => (method === 'get') === reads)
            .flatMap((row) => forms.map((form) => ({ row, form })));
          const met = await Promise.all(
            some.map(({ row, form }) => refused(row, form, from)),
          );
          expect(some.filter((_, at) => met[at])).to.eql([]);
        }
      });
    }
  });

  const refused = async (
    route: Declared,
    limit: LimitName | null,
    from: string,
  ): Promise<boolean> => {
    const it = { has, from };
    const asked = await spendingRequests(test, route, limit, it);
    const answers = await Promise.all(
      asked.map(({ path, body }) =>
        body === null
          ? tight.as(from).get(path)
          : path === '/report' // a form of the board's own pages
            ? tight
                .as(from)
                .post(path)
                .type('form')
                .set('Origin', BASE_URL)
                .send(body)
            : tight.as(from).post(path).send(body),
      ),
    );
    for (const { status, body: said, headers, text } of answers) {
      if (status !== 429) continue;
      if (limit === null) return true;
      if (headers['content-type']?.startsWith('text/html')) {
        expect(text, nameOf(route)).to.include(limit);
        expect(Number(headers['retry-after']), nameOf(route)).to.be.at.least(1);
        continue;
      }
      const body = said.error?.data ?? said; // in JSON-RPC at /mcp
      expect(body.scope, nameOf(route)).to.equal(limit);
      expect(body.retry_after_seconds, nameOf(route)).to.be.at.least(1);
      expect(headers['retry-after'], nameOf(route)).to.equal(
        String(body.retry_after_seconds),
      );
    }
    return answers.some(({ status }) => status === 429);
  };
});
