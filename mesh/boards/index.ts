import type { Endpoint } from '../../server/http/endpoint.js';
import { schemas } from '../../server/http/openapi/mirrored.js';
import { listMirroredBoards } from './list-boards.js';
import { readMirroredUpdates } from './merged-updates.js';
import { readMirroredMessage } from './message.js';
import { readMirroredProof } from './proof.js';
import { searchMirroredBoards } from './search.js';
import { readMirroredThread } from './thread.js';
import { listMirroredThreads } from './threads.js';
import { readMirroredBoardUpdates } from './updates.js';

/** Reading the boards that this node mirrors (spec/mesh.md §B9). */
export const boardsEndpoints: readonly Endpoint[] = [
  listMirroredBoards,
  searchMirroredBoards,
  readMirroredUpdates,
  listMirroredThreads,
  readMirroredThread,
  readMirroredBoardUpdates,
  readMirroredMessage,
  readMirroredProof,
];

/** Their answers, by the names of the machine description. */
export const boardsSchemas = schemas;
