import type { RequestHandler } from 'express';
import { community } from '../../server/community.js';
import type { Context } from '../../server/context.js';
import { sendJson } from '../../server/http/conditional.js';
import type { MirroredBoards } from '../../server/openapi/mirrored.js';
import { mirrorCounts } from './count-mirrored.js';
import { boardPath, mirroredBoards } from './mirrored-board.js';

/**
 * GET /api/mesh/boards → {data: [{name, origin, base_url, trust, status,
 * mirrored_size, messages, threads_url}], count, community}: the boards whose
 * messages can be read here (spec/mesh.md §B9).
 */
export function listBoards(ctx: Context): RequestHandler {
  const { baseUrl } = ctx.config;
  const { reads, clock } = ctx;
  const count = mirrorCounts(reads);
  return async (req, res) => {
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
    const answer: MirroredBoards = {
      data,
      count: data.length,
      community: community(baseUrl),
    };
    sendJson(req, res, answer, { cache: 'revalidate' });
  };
}
