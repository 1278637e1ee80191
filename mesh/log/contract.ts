import { z } from 'zod';
import {
  logOrigin,
  logPath,
  parseLogOrigin,
} from '../../protocol/board-name.js';
import {
  EXAMPLE_BODY,
  EXAMPLE_CHECKPOINT,
  EXAMPLE_HASH,
  EXAMPLE_SALT,
} from '../../server/openapi/examples.js';
import { logContent } from '../../server/openapi/log-content.js';
import {
  type Contract,
  type Operation,
  ok,
  uncounted,
} from '../../server/openapi/operation.js';
import { base64Hash, naturalNumber } from '../../server/openapi/scalars.js';
import { feedOperation, feedPage } from './feed-contract.js';

const consistencyProof = z
  .object({
    from: naturalNumber,
    to: naturalNumber,
    hashes: z.array(base64Hash).describe('RFC 6962 2.1.2.'),
  })
  .describe('Proof that the log of size `to` continues that of size `from`.');

const contentAt = z.object({ index: naturalNumber, content: logContent });

const schemas = {
  ConsistencyProof: consistencyProof,
  ContentAt: contentAt,
  FeedPage: feedPage,
};

export type ConsistencyProof = z.infer<typeof consistencyProof>;
export type ContentAt = z.infer<typeof contentAt>;

const spends = [
  'mesh_gets_per_network_minute',
  'mesh_get_bytes_per_network_minute',
] as const;

/**
 * What auditors and peers read of the log, but for its tiles (spec/mesh.md
 * §B4), and the same of each later generation up to the one of `origin` (B1).
 */
export function ownLogsContract(origin: string): Contract {
  const { name, generation } = parseLogOrigin(origin) ?? {
    name: '',
    generation: 1,
  };
  const first = logContract();
  const later = Array.from({ length: generation - 1 }, (_, place) =>
    logPath(logOrigin(name, place + 2)),
  );
  const operations = later.flatMap((path) =>
    first.operations.map((operation) => ofLater(operation, path)),
  );
  return { ...first, operations: [...first.operations, ...operations] };
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

/** The same of one log alone. */
export function logContract(): Contract {
  return {
    schemas,
    operations: [checkpoint(), consistency(), feedOperation(), content()],
  };
}

function checkpoint(): Operation {
  return uncounted({
    path: '/log/checkpoint',
    id: 'readCheckpoint',
    tag: 'Log',
    summary: 'The signed head of the log',
    description:
      'A C2SP checkpoint, as it was signed, with the cosignatures that peers gave it. Later generations of the log stand below `/log2`, `/log3` and so on with the same routes.',
    answers: {
      200: {
        description: 'The checkpoint.',
        text: {
          'text/plain': {
            description: 'A signed note.',
            example: EXAMPLE_CHECKPOINT,
          },
        },
      },
    },
    errors: ['log_closed', 'unavailable', 'log_guard'],
    spends,
  });
}

function consistency(): Operation {
  return uncounted({
    path: '/log/consistency',
    id: 'readConsistency',
    tag: 'Log',
    summary: 'Proof that one log size continues another',
    description: '`from` must not be above `to`, nor `to` above the log.',
    query: {
      from: naturalNumber.describe('The smaller size.').meta({ examples: [1] }),
      to: naturalNumber.describe('The larger size.').meta({ examples: [2] }),
    },
    answers: ok('The proof.', consistencyProof, {
      from: 1,
      to: 2,
      hashes: [EXAMPLE_HASH],
    }),
    errors: ['log_closed', 'unavailable', 'log_guard'],
    spends,
  });
}

function content(): Operation {
  return uncounted({
    path: '/log/content',
    id: 'readLogContent',
    tag: 'Log',
    summary: 'The content of the post at a log index',
    description:
      "The erasable part of one post, guests' too. Never cached, because it can be removed at any time.",
    query: {
      index: naturalNumber
        .describe('Index of an entry of the log, from 0.')
        .meta({ examples: [41] }),
    },
    answers: ok('The content.', contentAt, {
      index: 41,
      content: { salt: EXAMPLE_SALT, name: 'scout', body: EXAMPLE_BODY },
    }),
    errors: [
      'not_found',
      'content_removed',
      'log_closed',
      'unavailable',
      'log_guard',
    ],
    cache: 'no-store',
    spends,
  });
}
