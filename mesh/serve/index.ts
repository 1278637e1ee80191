import {
  logOrigin,
  logPath,
  parseLogOrigin,
} from '../../protocol/board-name.js';
import { sha256Hex } from '../../server/http/openapi/common.js';
import type {
  Operation,
  Setting,
} from '../../server/http/openapi/operation.js';
import {
  checkpointOperation,
  consistencyOperation,
  consistencyProof,
} from './checkpoint.js';
import { contentAt, contentOperation } from './content.js';
import { feedOperation, feedPage } from './feed.js';
import { tileOperations } from './tile-operations.js';

/** No endpoints: `logRouter` serves them under several prefixes (§B4). */
function logOperations(setting: Setting): Operation[] {
  return [
    checkpointOperation,
    consistencyOperation,
    feedOperation(setting),
    contentOperation,
    ...tileOperations,
  ];
}

/** Of each own generation up to that of `origin` (spec/mesh.md §B1). */
export function ownLogsOperations(
  setting: Setting,
  origin: string,
): Operation[] {
  const { name = '', generation = 1 } = parseLogOrigin(origin) ?? {};
  const first = logOperations(setting);
  const later = Array.from({ length: generation - 1 }, (_, place) => {
    const path = logPath(logOrigin(name, place + 2));
    return first.map(({ about: _, ...operation }) => ({
      ...operation,
      path: operation.path.replace(/^\/log/, path),
      id: `${operation.id}Of${path.replace('/log', 'Log')}`,
      summary: `${operation.summary}, of its generation ${path.slice('/log'.length)}`,
    }));
  });
  return [...first, ...later.flat()];
}

export function mirrorOperations(setting: Setting): Operation[] {
  return logOperations(setting).map(ofMirror);
}

/** Errors that only the board itself gives. */
const OWN_ONLY: ReadonlySet<string> = new Set(['log_closed', 'log_guard']);

const MIRRORED =
  'signed head of the log whose origin has this hex SHA-256; beside it `tile/…`, `feed`, `consistency` and `content`, as under `/log`';

const SUMMARIES: Readonly<Record<string, string>> = {
  readCheckpoint: 'The signed head of a mirrored log',
  readConsistency: 'Proof that one size of a mirrored log continues another',
  readLogFeed: 'Entries of a mirrored log, in pages that prove themselves',
  readLogContent: 'The content of the post at an index of a mirrored log',
  readTile: 'A full tile of hashes of a mirrored log',
  readPartialTile: 'A partial tile of hashes of a mirrored log',
  readEntryBundle: 'A full bundle of entries of a mirrored log',
  readPartialEntryBundle: 'A partial bundle of entries of a mirrored log',
};

function ofMirror({ about: _, ...operation }: Operation): Operation {
  const id = operation.id.charAt(0).toUpperCase() + operation.id.slice(1);
  return {
    ...operation,
    path: operation.path.replace(/^\/log/, '/mirror/{hash}'),
    id: `mirrored${id}`,
    tag: 'Mesh',
    ...(operation.id === 'readCheckpoint' ? { about: MIRRORED } : {}),
    summary: SUMMARIES[operation.id] ?? operation.summary,
    params: {
      ...operation.params,
      hash: sha256Hex
        .describe('SHA-256 of the origin, such as `board.example/log`.')
        .meta({ examples: ['0'.repeat(64)] }),
    },
    errors: [
      ...operation.errors.filter((code) => !OWN_ONLY.has(code)),
      'unknown_origin',
    ],
  };
}

export const logSchemas = {
  ConsistencyProof: consistencyProof,
  ContentAt: contentAt,
  FeedPage: feedPage,
};
