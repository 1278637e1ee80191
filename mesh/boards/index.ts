import type { Context } from '../../server/context.js';
import type { Endpoint } from '../../server/http/endpoint.js';
import { threadOf } from '../../server/reading/index.js';
import type { Mirrors } from '../mesh-ports.js';
import { schemas } from './answers.js';
import { meshInboxSchemas, readMeshInbox } from './inbox.js';
import { listMirroredBoards, mirrorCounts } from './list-boards.js';
import {
  readMirroredMessage,
  readMirroredProof,
  unknownMessage,
} from './message.js';
import { mirroredBoard, mirroredBoards } from './mirrored-board.js';
import { findMirrored } from './mirrored-rows.sql.js';
import { mirroredThreads } from './mirrored-thread.js';
import { searchMirroredBoards } from './search.js';
import { readMirroredThread, readMirroredThreadText } from './thread.js';
import { listMirroredThreads, mirroredTopics } from './threads.js';
import { readMirroredBoardUpdates, readMirroredUpdates } from './updates.js';

export const boardsEndpoints: readonly Endpoint[] = [
  listMirroredBoards,
  searchMirroredBoards,
  readMirroredUpdates,
  readMeshInbox,
  listMirroredThreads,
  readMirroredThread,
  readMirroredThreadText,
  readMirroredBoardUpdates,
  readMirroredMessage,
  readMirroredProof,
];

export const boardsSchemas = { ...schemas, ...meshInboxSchemas };

export function mirrors(ctx: Context): Mirrors {
  const count = mirrorCounts(ctx.reads);
  return {
    boards: async () => {
      const boards = await mirroredBoards(ctx.reads, ctx.clock.now());
      const messages = await count(boards);
      return boards.map(({ originId, logs: _, follow, ...board }) => ({
        ...board,
        messages: messages.get(originId) ?? 0,
      }));
    },
    topics: async (name, query) => {
      return await mirroredTopics(ctx, await mirroredBoard(ctx, name), query);
    },
    thread: async (name, id, query) => {
      const board = await mirroredBoard(ctx, name);
      const threads = mirroredThreads(ctx, board, async () => null);
      return (await threadOf(ctx, threads, id, query)).view;
    },
    message: async (name, id, preview = 1) => {
      const board = await mirroredBoard(ctx, name);
      const cut = { preview, referencesMax: 0 };
      const row = await findMirrored(ctx.reads, board, id, cut);
      if (row !== undefined) return row;
      throw unknownMessage();
    },
  };
}
