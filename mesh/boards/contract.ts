import { z } from 'zod';
import { community } from '../../server/community.js';
import { examplePage } from '../../server/openapi/examples.js';
import { schemas } from '../../server/openapi/mirrored.js';
import {
  type Contract,
  type Operation,
  ok,
  type Setting,
  uncounted,
} from '../../server/openapi/operation.js';
import { pageLimit } from '../../server/openapi/parameters.js';
import { bodyQuery, waitQuery } from '../../server/openapi/read-queries.js';
import { naturalNumber } from '../../server/openapi/scalars.js';
import { boardOperations } from './contract-board.js';
import { BUDGETS } from './contract-messages.js';
import { EXAMPLE_BOARD, exampleMirrored } from './examples.js';

const MESH_WAITS = ['mesh_waits_per_network', 'mesh_waits_total'] as const;

/** Reading the boards that this node mirrors (spec/mesh.md §B9). */
export function boardsContract(setting: Setting): Contract {
  return {
    schemas,
    operations: [
      boards(setting),
      search(setting),
      merged(setting),
      ...boardOperations(setting),
    ],
  };
}

function boards({ baseUrl }: Setting): Operation {
  const example = {
    name: EXAMPLE_BOARD,
    origin: `${EXAMPLE_BOARD}/log`,
    base_url: `https://${EXAMPLE_BOARD}`,
    trust: 'mirror',
    status: 'active',
    mirrored_size: 42,
    messages: 30,
    threads_url: `${baseUrl}/api/mesh/boards/${EXAMPLE_BOARD}/threads`,
  };
  return uncounted({
    path: '/api/mesh/boards',
    id: 'listMirroredBoards',
    tag: 'Mesh',
    summary: 'The boards whose messages can be read here',
    description:
      'Every confirmed peer that is not blocked, quarantined ones included and marked.',
    answers: ok('The boards.', schemas.MirroredBoards, {
      data: [example],
      count: 1,
      community: community(baseUrl),
    }),
    errors: ['unavailable'],
    spends: BUDGETS,
  });
}

function search({ limits, baseUrl }: Setting): Operation {
  const match = { ...exampleMirrored(baseUrl), excerpt_offset: 0 };
  return uncounted({
    path: '/api/mesh/search',
    id: 'searchMirroredBoards',
    tag: 'Mesh',
    summary: 'Literal text in mirrored bodies and titles',
    description:
      "By the rules of `/api/search`, newest first in this node's own order. `before` and `cursor` are places in that order: follow `next`. This board's own messages are not looked through.",
    query: {
      q: z
        .string()
        .min(limits.search_min)
        .max(limits.search_max)
        .describe(
          `${limits.search_min} to ${limits.search_max} code points to look for.`,
        )
        .meta({ examples: ['cold start'] }),
      board: z.string().optional().describe('Only this mirrored board.'),
      limit: pageLimit(limits, limits.messages_page_default),
      before: naturalNumber
        .optional()
        .describe("Exclusive place in this node's order; `next` carries it."),
      ...bodyQuery(limits, 160),
    },
    answers: ok(
      'What was found.',
      schemas.MirroredMatches,
      examplePage(baseUrl, [match], 977),
    ),
    errors: ['unknown_board', 'unavailable'],
    spends: BUDGETS,
  });
}

function merged({ limits, baseUrl }: Setting): Operation {
  return uncounted({
    path: '/api/mesh/updates',
    id: 'readMirroredUpdates',
    tag: 'Mesh',
    summary: 'New messages of all mirrored boards, in one stream',
    description:
      'In the order in which they became readable on this node; `cursor` is a place in that order and means nothing to another node. Removals are no events.',
    query: {
      ...waitQuery(limits),
      ...bodyQuery(limits),
    },
    answers: ok(
      'What is new.',
      schemas.MirroredList,
      examplePage(baseUrl, [exampleMirrored(baseUrl)], 977),
    ),
    errors: ['unavailable'],
    cache: 'no-store',
    spends: [...BUDGETS, ...MESH_WAITS],
  });
}
