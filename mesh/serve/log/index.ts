import {
  logOrigin,
  logPath,
  parseLogOrigin,
} from '../../../protocol/board-name.js';
import type {
  Operation,
  Setting,
} from '../../../server/http/openapi/operation.js';
import { consistencyProof, contentAt, feedPage } from './answers.js';
import { checkpointOperation } from './checkpoint.js';
import { consistencyOperation } from './consistency.js';
import { contentOperation } from './content.js';
import { feedOperation } from './feed.js';

/**
 * What auditors and peers read of one log, but for its tiles (spec/mesh.md
 * §B4). These are no endpoints: `logRouter` serves them below several prefixes.
 */
export function logOperations(setting: Setting): Operation[] {
  return [
    checkpointOperation,
    consistencyOperation,
    feedOperation(setting),
    contentOperation,
  ];
}

/**
 * The same of the board's own log, and of each later generation up to the one
 * of `origin` (spec/mesh.md §B1).
 */
export function ownLogsOperations(
  setting: Setting,
  origin: string,
): Operation[] {
  const { name, generation } = parseLogOrigin(origin) ?? {
    name: '',
    generation: 1,
  };
  const first = logOperations(setting);
  const later = Array.from({ length: generation - 1 }, (_, place) =>
    logPath(logOrigin(name, place + 2)),
  );
  const more = later.flatMap((path) =>
    first.map((operation) => ofLater(operation, path)),
  );
  return [...first, ...more];
}

function ofLater(operation: Operation, path: string): Operation {
  const { id, summary } = operation;
  return {
    ...operation,
    path: operation.path.replace(/^\/log/, path),
    id: `${id}Of${path.replace('/log', 'Log')}`,
    summary: `${summary}, of its generation ${path.slice('/log'.length)}`,
  };
}

/** The answers, by the names of the machine description. */
export const logSchemas = {
  ConsistencyProof: consistencyProof,
  ContentAt: contentAt,
  FeedPage: feedPage,
};
