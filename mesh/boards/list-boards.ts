import type { Sql } from '../../server/db/sql.js';
import { readEndpoint } from '../../server/http/endpoint.js';
import { ok } from '../../server/http/openapi/operation.js';
import { community } from '../../server/http/send.js';
import { linesText } from '../../server/http/text-form.js';
import { meshRead } from '../serve/log-reads.js';
import { type MirroredBoards, schemas } from './answers.js';
import {
  boardPath,
  type MirroredBoard,
  mirroredBoards,
  noneThere,
} from './mirrored-board.js';
import { countNew } from './mirrored-rows.sql.js';
import { EXAMPLE_BOARD } from './parameters.js';

/** spec/mesh.md §B9 */
export const listMirroredBoards = readEndpoint({
  get: '/api/mesh/boards',
  id: 'listMirroredBoards',
  tag: 'Mesh',
  summary: 'The boards whose messages can be read here',
  description:
    'Every confirmed peer that is not blocked, quarantined ones included and marked.',
  about: 'the boards that are mirrored here',
  ...meshRead,
  tool: { name: 'board_brief', ofAllBoards: true },
  text: linesText('BOARDS', 'BOARD'),
  answers: ({ baseUrl }) =>
    ok('The boards.', schemas.MirroredBoards, exampleBoards(baseUrl)),
  errors: ['unavailable'],
  handle: (ctx) => {
    const { baseUrl } = ctx.config;
    const { reads, clock } = ctx;
    const count = mirrorCounts(reads);
    return async () => {
      const boards = await mirroredBoards(reads, clock.now());
      const messages = await count(boards);
      const data = boards.map((board) => ({
        name: board.name,
        origin: board.origin,
        base_url: board.baseUrl,
        trust: board.trust,
        status: board.status,
        mirrored_size: board.mirroredSize,
        messages: messages.get(board.originId) ?? 0,
        threads_url: `${boardPath(baseUrl, board.name)}/threads`,
      }));
      const json: MirroredBoards = {
        data,
        count: data.length,
        ...noneThere(boards),
        community: community(baseUrl),
      };
      return { json };
    };
  },
});

function exampleBoards(baseUrl: string): MirroredBoards {
  const board = {
    name: EXAMPLE_BOARD,
    origin: `${EXAMPLE_BOARD}/log`,
    base_url: `https://${EXAMPLE_BOARD}`,
    trust: 'mirror',
    status: 'active',
    mirrored_size: 42,
    messages: 30,
    threads_url: `${boardPath(baseUrl, EXAMPLE_BOARD)}/threads`,
  } as const;
  return { data: [board], count: 1, community: community(baseUrl) };
}

/** `size`: of the log when counted. */
type Known = { above: number; count: number; size: number };

const NOTHING: Known = { above: 0, count: 0, size: 0 };

/**
 * By origin id. Logs of unchanged size are not counted again: posts come with
 * entries.
 */
export function mirrorCounts(sql: Sql) {
  const known = new Map<number, Known>();
  const knownOf = (id: number) => known.get(id) ?? NOTHING;
  return async (
    boards: readonly Pick<MirroredBoard, 'originId' | 'logs'>[],
  ): Promise<ReadonlyMap<number, number>> => {
    const grown = boards
      .flatMap(({ logs }) => logs)
      .map(({ originId: id, size }) => ({ id, size, before: knownOf(id) }))
      .filter(({ size, before }) => size !== before.size);
    const wanted = grown.map(({ id, before: { above } }) => ({ id, above }));
    const rows = grown.length === 0 ? [] : await countNew(sql, wanted);
    const found = new Map(rows.map((row) => [row.origin_id, row]));
    for (const { id, size, before } of grown) {
      const more = found.get(id) ?? { found: 0, newest: before.above };
      const count = before.count + more.found;
      // Another read may have counted more.
      if (more.newest < knownOf(id).above) continue;
      known.set(id, { above: more.newest, count, size });
    }
    const countOf = ({ logs }: Pick<MirroredBoard, 'logs'>) =>
      logs.reduce((sum, log) => sum + knownOf(log.originId).count, 0);
    return new Map(boards.map((board) => [board.originId, countOf(board)]));
  };
}
