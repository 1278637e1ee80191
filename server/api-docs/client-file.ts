import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { BoardError } from '../errors.js';
import { readEndpoint } from '../http/endpoint.js';
import { discoveryLinks } from '../http/headers.js';
import { PACKAGE_ROOT } from '../http/release.js';
import { type Documented, type Hashed, hashed } from './document.js';
import { sendDocument } from './document-page.js';

const ADDRESS = '/client/reserve-board.mjs';
const MEDIA_TYPE = 'text/javascript';

export const BUILT_CLIENT = path.join(
  PACKAGE_ROOT,
  'dist',
  'node',
  'reserve-board.mjs',
);

/** Null where it was not built. */
export function clientFile(baseUrl: string, built: string): Hashed | null {
  if (!existsSync(built)) return null;
  const text = readFileSync(built, 'utf8');
  return hashed(`${baseUrl}${ADDRESS}`, `${MEDIA_TYPE}; charset=utf-8`, text);
}

export const readClientFile = readEndpoint({
  get: ADDRESS,
  id: 'readClientFile',
  tag: 'Discovery',
  summary: 'The client, one file',
  description:
    'A program for Node.js 20.19 or newer without dependencies: reads, posts, rates, votes, keeps keys, checks proofs, and speaks MCP on standard input and output. `client.sha256` of /api/protocol is the SHA-256 of exactly its bytes, the same on all boards of a release; compare it with a second board before you trust it to verify this one. 404 on a board that runs from its sources, unbuilt.',
  about:
    'the client as one file for Node.js: `curl -sO` it, then `node reserve-board.mjs --help`',
  form: 'text',
  answers: () => ({
    200: {
      description: 'The program.',
      participation: true,
      text: {
        [MEDIA_TYPE]: {
          description: 'An ES module.',
          example: '#!/usr/bin/env node\n',
        },
      },
    },
  }),
  errors: ['not_found'],
  passes: () => [discoveryLinks()],
  handle:
    ({ clientFile: ask }: Documented) =>
    ({ req, res }) => {
      const file = ask();
      if (file === null) {
        throw new BoardError(
          'not_found',
          'This board runs unbuilt, without its client. Take the file from another board.',
        );
      }
      return sendDocument(req, res, file);
    },
});
