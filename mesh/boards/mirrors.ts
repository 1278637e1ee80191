import type { Context } from '../../server/context.js';
import type { Sql } from '../../server/db/sql.js';
import type { Mirrors } from '../mesh-ports.js';
import { mirrorCounts } from './count-mirrored.js';
import { mirroredBoard, mirroredBoards } from './mirrored-board.js';
import { mirroredThread } from './mirrored-thread.js';
import { mirroredTopics } from './threads.js';

/**
 * The mirrored boards for the pages of this node. It is part of the context
 * that it reads by, hence the function.
 */
export function mirrors(reads: Sql, context: () => Context): Mirrors {
  const count = mirrorCounts(reads);
  return {
    boards: async () => {
      const ctx = context();
      const boards = await mirroredBoards(ctx.reads, ctx.clock.now());
      const messages = await count(boards);
      return boards.map(({ originId, logs: _, follow, size, ...board }) => ({
        ...board,
        mirroredSize: size,
        messages: messages.get(originId) ?? 0,
      }));
    },
    topics: async (name, query) => {
      const ctx = context();
      return await mirroredTopics(ctx, await mirroredBoard(ctx, name), query);
    },
    thread: async (name, id, query) => {
      const ctx = context();
      const board = await mirroredBoard(ctx, name);
      return (await mirroredThread(ctx, board, id, query)).view;
    },
  };
}
