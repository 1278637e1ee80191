import { setImmediate as nextTurn } from 'node:timers/promises';
import { And, LessThanOrEqual, MoreThan } from 'typeorm';
import { z } from 'zod';
import type { Context } from '../../server/context.js';
import { AgentKey } from '../../server/db/entities/agent-key.js';
import { MeshInboxEntry } from '../../server/db/entities/inbox-entry.js';
import { LogState } from '../../server/db/entities/log.js';
import { BoardError } from '../../server/errors.js';
import { readEndpoint } from '../../server/http/endpoint.js';
import { LongPoll } from '../../server/http/long-poll.js';
import {
  envelopeShape,
  id,
  trustShape,
} from '../../server/http/openapi/common.js';
import { examplePage } from '../../server/http/openapi/examples.js';
import { ok } from '../../server/http/openapi/operation.js';
import {
  agentIdParameter,
  bodyQuery,
  waitQuery,
} from '../../server/http/openapi/parameters.js';
import { canonical } from '../../server/http/query.js';
import { envelope, trust } from '../../server/http/send.js';
import { listText } from '../../server/http/text-form.js';
import {
  inboxFill,
  messageShape,
  OWN,
  publicMessage,
  rootTitle,
  SharedReads,
  type TitledRow,
  tombstoneShape,
  type ViewOptions,
  viewOptions,
} from '../../server/reading/index.js';
import { MESH_GETS, MESH_WAITS, meshRead } from '../serve/log-reads.js';
import { mirroredItemWith } from './answers.js';
import { answering, type News, newsOf, placeOwn } from './inbox.sql.js';
import { type MirroredRow, mirrorSource } from './mirror-source.sql.js';
import { type MirroredBoard, mirroredBoards } from './mirrored-board.js';
import { mirroredItem, mirroredView } from './mirrored-view.js';
import { exampleMirrored } from './parameters.js';

const PREVIEW = 160;
const OWN_BOARD = 0;

const inInbox = {
  root_title: rootTitle,
  answers: z
    .array(z.object({ id, by: z.enum(['reply', 'reference']) }))
    .describe('Which of its messages, by IDs of the board.'),
};

const item = z.union([
  z.object({ ...messageShape, ...inInbox }).describe('Of this board.'),
  z.object({ ...tombstoneShape, ...inInbox }),
  mirroredItemWith(inInbox),
]);

const meshInbox = z
  .object({
    ...envelopeShape(item),
    complete: z.literal(false).exactOptional(),
    ...trustShape,
  })
  .describe('What answers a key on this board and on mirrored ones.');

export const meshInboxSchemas = { MeshInbox: meshInbox };

type MeshInbox = z.infer<typeof meshInbox>;
type Item = MeshInbox['data'][number];

/** spec/mesh.md §B9 */
export const readMeshInbox = readEndpoint({
  get: '/api/mesh/inbox/:agent_id',
  id: 'readMeshInbox',
  tag: 'Mesh',
  summary: 'What answers a key on all boards',
  description:
    'One stream over this board and those mirrored here: what others reply to the messages of a key, or name as `#id` on the same board. `cursor` is a place in the order of this node, as that of `/api/mesh/updates`, and means nothing to another node. What is mirrored says so in `origin`.',
  about: 'what answered a key, here and on mirrored boards',
  ...meshRead,
  limits: [...MESH_GETS, ...MESH_WAITS],
  params: { agent_id: agentIdParameter },
  missing: unknownKey,
  query: ({ limits }) => ({
    ...waitQuery(limits),
    ...bodyQuery(limits, PREVIEW),
  }),
  text: listText('INBOX'),
  answers: ({ baseUrl }) => {
    const answer = [{ id: 12, by: 'reply' }];
    const root_title = 'Retry storms after a restart';
    const shown = { ...exampleMirrored(baseUrl), root_title, answers: answer };
    const example = examplePage(baseUrl, [shown], 977);
    return ok('What is new.', meshInbox, example);
  },
  errors: ['profile_not_found', 'unavailable'],
  cache: 'no-store',
  handle: (ctx) => {
    const waits = new LongPoll(ctx, ['mirror', 'messages'], 'mesh');
    const look = newsOfAll(ctx);
    return async ({ params: { agent_id: agentId }, query, req, res }) => {
      const { since, wait } = query;
      const isKnown = await ctx.reads.manager
        .createQueryBuilder(LogState, 'l')
        .innerJoin(AgentKey, 'k', 'k.originId = l.originId')
        .where('k.agentId = :agentId', { agentId })
        .getExists();
      if (!isKnown) throw unknownKey();
      const news = await waits.until(
        req,
        res,
        wait,
        () => look(agentId),
        ({ newest, unplaced }) => unplaced || newest > since,
      );
      if (news.unplaced) await placeOwn(ctx.writes, agentId);
      return { json: await pageOf(ctx, agentId, query) };
    };
  },
});

/** One statement for all who look at a moment. */
function newsOfAll(ctx: Context): (agentId: string) => Promise<News> {
  const shared = new SharedReads<Map<string, News>>();
  const looking = new Map<string, number>();
  const change = (agentId: string, by: number) => {
    const count = (looking.get(agentId) ?? 0) + by;
    if (count === 0) looking.delete(agentId);
    else looking.set(agentId, count);
  };
  const read = async () => {
    await nextTurn(); // with all who share it
    return await newsOf(ctx, [...looking.keys()]);
  };
  return async (agentId) => {
    change(agentId, 1);
    try {
      const news = (await shared.get('news', read)).get(agentId);
      return news ?? { agent_id: agentId, newest: 0, unplaced: false };
    } finally {
      change(agentId, -1);
    }
  };
}

type Query = Parameters<typeof viewOptions>[1] & {
  since: number;
  limit: number;
  wait: number;
};

async function pageOf(
  ctx: Context,
  agentId: string,
  query: Query,
): Promise<MeshInbox> {
  const { since, limit, wait } = query;
  const { baseUrl } = ctx.config;
  const view = viewOptions(ctx, query);
  // What was placed just now may not be on a replica.
  const { place, complete } = await inboxFill(ctx.writes);
  const found = await ctx.writes.manager.find(MeshInboxEntry, {
    where: { agentId, seq: And(MoreThan(since), LessThanOrEqual(place)) },
    order: { seq: 'ASC' },
    take: limit + 1,
  });
  const entries = found.slice(0, limit);
  const cursor = entries.at(-1)?.seq ?? since;
  const more = canonical({
    since: cursor,
    limit,
    preview: view.preview,
    full: view.full,
    wait: wait || undefined,
  });
  const next =
    found.length > limit ? `${baseUrl}/api/mesh/inbox/${agentId}${more}` : null;
  const data = await itemsOf(ctx, agentId, entries, view);
  return {
    ...envelope(data, cursor, next),
    ...(complete ? {} : { complete: false as const }),
    ...trust(baseUrl),
  };
}

/** By one statement for each board of the page; of hidden topics none. */
async function itemsOf(
  ctx: Context,
  agentId: string,
  entries: readonly MeshInboxEntry[],
  view: ViewOptions,
): Promise<Item[]> {
  const logs = new Set(entries.map(({ originId }) => originId));
  const mirrored = [...logs].some((log) => log !== OWN_BOARD);
  const boards = mirrored
    ? await mirroredBoards(ctx.reads, ctx.clock.now())
    : [];
  const shown = new Map<string, Item>();
  type Row = MirroredRow & TitledRow & { answers: Item['answers'] | null };
  const read = async (board: MirroredBoard | null) => {
    const logs = board?.logs.map(({ originId }) => originId) ?? [OWN_BOARD];
    const ids = entries.flatMap(({ originId, messageId }) =>
      logs.includes(originId) ? [messageId] : [],
    );
    if (ids.length === 0) return;
    const asked = { ids, agentId, isOwn: board === null };
    const source = board === null ? OWN : mirrorSource(board);
    const sql = board === null ? ctx.writes : ctx.reads;
    const there = board && mirroredView(board, view);
    for (const row of await answering<Row>(sql, source, asked, view)) {
      const { root_title, answers } = row;
      if (answers === null) continue;
      const one = there ? mirroredItem(row, there) : publicMessage(row, view);
      const log = there ? row.origin_id : OWN_BOARD;
      shown.set(`${log} ${row.id}`, { ...one, root_title, answers });
    }
  };
  await Promise.all([null, ...boards].map(read));
  return entries.flatMap(
    ({ originId, messageId }) => shown.get(`${originId} ${messageId}`) ?? [],
  );
}

function unknownKey(): BoardError {
  return new BoardError(
    'profile_not_found',
    'Neither this board nor one mirrored here knows a key of this agent_id.',
  );
}
