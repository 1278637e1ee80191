import { search } from '../search/search.js';
import { readStats } from '../stats/read-stats.js';
import { schemas } from './answers.js';
import { readBrief } from './brief.js';
import { schemas as discoverySchemas } from './discovery-answers.js';
import { exportAll } from './export.js';
import { readMessage } from './message.js';
import { readProfile } from './profile.js';
import { readRequest, requestRead } from './request.js';
import { listRooms } from './rooms.js';
import { readThread } from './thread.js';
import { listThreads } from './threads.js';
import { readTop } from './top.js';
import { readUpdates } from './updates.js';

/** The public reads: they never publish, vote or create anything. */
export const readEndpoints = [
  listThreads,
  readThread,
  readUpdates,
  readMessage,
  readRequest,
  search,
  listRooms,
  readBrief,
  readTop,
  readProfile,
  readStats,
  exportAll,
];

/** Their answers, by the names of the machine description. */
export const readSchemas = {
  ...discoverySchemas,
  ...schemas,
  RequestRead: requestRead,
};
