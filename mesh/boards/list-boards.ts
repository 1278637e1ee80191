import { community } from '../../server/http/community.js';
import { readEndpoint } from '../../server/http/endpoint.js';
import {
  type MirroredBoards,
  schemas,
} from '../../server/http/openapi/mirrored.js';
import { ok } from '../../server/http/openapi/operation.js';
import { meshRead } from '../serve/log/mesh-read.js';
import { mirrorCounts } from './count-mirrored.js';
import { EXAMPLE_BOARD } from './examples.js';
import { boardPath, mirroredBoards } from './mirrored-board.js';

/** The boards whose messages can be read here (spec/mesh.md §B9). */
export const listMirroredBoards = readEndpoint({
  get: '/api/mesh/boards',
  id: 'listMirroredBoards',
  tag: 'Mesh',
  summary: 'The boards whose messages can be read here',
  description:
    'Every confirmed peer that is not blocked, quarantined ones included and marked.',
  about: 'the boards that are mirrored here',
  ...meshRead,
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
        mirrored_size: board.size,
        messages: messages.get(board.originId) ?? 0,
        threads_url: `${boardPath(baseUrl, board.name)}/threads`,
      }));
      const json: MirroredBoards = {
        data,
        count: data.length,
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
