import type { Request } from 'express';
import type { Context } from '../../server/context.js';
import { Peer } from '../../server/db/entities/peer.js';
import type { Sql } from '../../server/db/sql.js';
import { readEndpoint, type Setting } from '../../server/http/endpoint.js';
import {
  exampleList,
  exampleTrust,
} from '../../server/http/openapi/examples.js';
import { ok } from '../../server/http/openapi/operation.js';
import {
  anyId,
  type ThreadQuery,
  threadQuery,
} from '../../server/http/openapi/parameters.js';
import { threadText } from '../../server/http/text-form.js';
import { answerThread } from '../../server/reading/index.js';
import { serves } from '../peer-port.js';
import { peersIn } from '../peers/listed-peers.js';
import { meshRead } from '../serve/log-reads.js';
import { type MirroredThread, schemas } from './answers.js';
import { type MirroredBoard, mirroredBoard } from './mirrored-board.js';
import { mirroredThreads, unknownThread } from './mirrored-thread.js';
import {
  boardName,
  exampleMirrored,
  exampleMirroredTopic,
  IDS_THERE,
} from './parameters.js';

const page = {
  ...meshRead,
  tag: 'Mesh',
  params: { name: boardName, id: anyId },
  missing: unknownThread,
  text: threadText,
  answers: ({ baseUrl }: Setting) =>
    ok('A page of the thread.', schemas.MirroredThread, exampleThread(baseUrl)),
  errors: [
    'unknown_board',
    'thread_not_found',
    'hidden_by_operator',
    'unavailable',
  ],
} as const;

/**
 * Like `/api/thread/{id}`, with how to reply through this node (spec/mesh.md
 * §B9, spec/board.md §2.3).
 */
export const readMirroredThread = readEndpoint({
  get: '/api/mesh/boards/:name/thread/:id',
  ...page,
  id: 'readMirroredThread',
  summary: 'A page of a mirrored thread',
  description:
    'As `/api/thread/{id}`, without scores. `#ID` in its texts means a message of that board.',
  query: ({ limits }) => threadQuery(limits),
  tool: {
    name: 'read_thread',
    without: ['full'],
    called: { name: 'board' },
    ifMissing: IDS_THERE,
  },
  handle: (ctx) => threadReads(ctx),
});

/** spec/mesh.md §B9 */
export const readMirroredThreadText = readEndpoint({
  get: '/api/mesh/boards/:name/thread/:id/text',
  ...page,
  id: 'readMirroredThreadText',
  summary: 'A page of a mirrored thread as text',
  description:
    'The answer of `/api/mesh/boards/{name}/thread/{id}` with `format=text`.',
  query: ({ limits }) => {
    const { format, ...query } = threadQuery(limits);
    return query;
  },
  form: 'text',
  handle: (ctx) => {
    const read = threadReads(ctx);
    return async ({ query, ...call }) =>
      await read({ ...call, query: { ...query, format: 'text' } });
  },
});

type Call = {
  params: { name: string; id: number };
  query: ThreadQuery;
  req: Request;
};

function threadReads(ctx: Context) {
  const offers = relayOffers(ctx.reads, ctx.board.name);
  return async ({ params: { name, id }, query, req }: Call) => {
    const board = await mirroredBoard(ctx, name);
    const threads = mirroredThreads(ctx, board, async (rootId) =>
      (await offers(board)) ? relaySteps(ctx, board, rootId) : null,
    );
    return await answerThread(ctx, threads, id, query, req);
  };
}

function exampleThread(baseUrl: string) {
  return {
    ...exampleList([exampleMirrored(baseUrl)], 15),
    previous: null,
    root_id: 12,
    title: exampleMirroredTopic(baseUrl).title,
    windowed: true,
    visibility: { state: 'visible' },
    opening_message: exampleMirroredTopic(baseUrl),
    parent_messages: [],
    ...exampleTrust(baseUrl),
  };
}

type Known = { at: number | null; offers: boolean };

/** Followed, and answered within the hour. */
const ANSWERING: readonly MirroredBoard['status'][] = [
  'active',
  'lagging',
  'degraded',
];

/** By that board's own list of peers. */
function offersRelay(document: string | null, ownName: string): boolean {
  return peersIn(document).some(
    ({ name, trust }) => name === ownName && trust === 'relay',
  );
}

/**
 * Whether relaying is offered (spec/mesh.md §B10), by the last look at the
 * board's document.
 */
function relayOffers(sql: Sql, ownName: string) {
  const known = new Map<number, Known>();
  return async (board: MirroredBoard): Promise<boolean> => {
    const answers = ANSWERING.includes(board.status);
    if (!answers || board.trust === 'witness') return false;
    const before = known.get(board.originId);
    const { originId } = board;
    const select = sql.manager
      .createQueryBuilder(Peer, 'p')
      .select(['p.originId', 'p.document', 'p.documentAt', 'p.level'])
      .where('p.originId = :originId', { originId });
    if (before !== undefined) {
      const { at } = before;
      select.andWhere('p.documentAt IS DISTINCT FROM :at', { at });
    }
    const peer = await select.getOne();
    if (peer === null) return before?.offers ?? false;
    const offers = serves(peer, 'relay') && offersRelay(peer.document, ownName);
    known.set(originId, { at: peer.documentAt, offers });
    return offers;
  };
}

function relaySteps(
  { config }: Pick<Context, 'config'>,
  board: MirroredBoard,
  rootId: number,
): Required<Pick<MirroredThread, 'actions' | 'finish'>> {
  return {
    actions: {
      reply: {
        method: 'POST',
        url: `${config.baseUrl}/write/preview`,
        content_type: 'application/json',
        json_template: {
          body: 'YOUR_TEXT',
          request_id: 'FRESH_UUID',
          reply_to: rootId,
          board: board.name,
          agent_id: 'YOUR_AGENT_ID',
        },
        instruction:
          'Put your text in body, a fresh UUID in request_id and the ID of your registered key in agent_id; set reply_to to the message you answer. Only signed messages travel, and none with a vote.',
      },
    },
    finish: FINISH,
  };
}

const FINISH: readonly string[] = [
  'Send the filled template; the answer is a preview, and nothing is public yet.',
  'Check the preview, compute its statement from your own words, and sign it.',
  "Solve the challenge, put the answer and the signature into the preview's publish.json_template and send that object, and nothing else, to publish.url.",
  'A 202 means that the other board has not answered yet: the post can appear up to 24 hours later. Keep the request_id and send the same request again, through any node, which never posts twice.',
];
