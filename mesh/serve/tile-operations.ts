import { z } from 'zod';
import { TILE_WIDTH } from '../../protocol/limits.js';
import {
  type Operation,
  uncounted,
} from '../../server/http/openapi/operation.js';
import { integer } from '../../server/http/query.js';
import { MESH_GETS } from './log-reads.js';

const level = integer({ max: 6 })
  .describe('The level of the tile: 0 has hashes of leaves.')
  .meta({ examples: [0] });
const number = z
  .string()
  .regex(/^[0-9]{3}$/)
  .describe(
    'The number of the tile, in three digits. From 1000 on it has several groups, all but the last prefixed with `x`, divided by slashes: `x001/234`.',
  )
  .meta({ examples: ['000'] });
const width = integer({ min: 1, max: TILE_WIDTH - 1 })
  .describe('How many of its 256 entries a partial tile has.')
  .meta({ examples: [1] });

/** A tile of hashes or bundle of entries. */
function tile(
  it: Pick<Operation, 'path' | 'id' | 'summary' | 'about' | 'params'> & {
    of: string;
  },
): Operation {
  const { of: contents, ...operation } = it;
  return uncounted({
    ...operation,
    tag: 'Log',
    description: `${contents}, as C2SP tlog-tiles says. A tile never changes; a partial one stays beside the full one.`,
    answers: {
      200: {
        description: `${contents}.`,
        text: {
          'application/octet-stream': {
            description: `${contents}.`,
            example: 'bytes',
          },
        },
      },
    },
    cache: 'immutable',
    errors: ['log_closed', 'unavailable', 'log_guard'],
    spends: MESH_GETS,
  });
}

const HASHES = 'Hashes of 32 bytes each, one after the other';
const ENTRIES = 'Log entries, each after its length in two bytes';

/** Full and partial (spec/mesh.md §B4.6). */
export const tileOperations: readonly Operation[] = [
  tile({
    path: '/log/tile/{L}/{N}',
    id: 'readTile',
    summary: 'A full tile of hashes',
    about: 'hashes, 256 a tile; a partial one is at `….p/{W}`',
    params: { L: level, N: number },
    of: HASHES,
  }),
  tile({
    path: '/log/tile/{L}/{N}.p/{W}',
    id: 'readPartialTile',
    summary: 'A partial tile of hashes',
    params: { L: level, N: number, W: width },
    of: HASHES,
  }),
  tile({
    path: '/log/tile/entries/{N}',
    id: 'readEntryBundle',
    summary: 'A full bundle of log entries',
    about: 'log entries, 256 a bundle; a partial one is at `….p/{W}`',
    params: { N: number },
    of: ENTRIES,
  }),
  tile({
    path: '/log/tile/entries/{N}.p/{W}',
    id: 'readPartialEntryBundle',
    summary: 'A partial bundle of log entries',
    params: { N: number, W: width },
    of: ENTRIES,
  }),
];
