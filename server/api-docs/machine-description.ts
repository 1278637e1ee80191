import { createHash } from 'node:crypto';
import { readEndpoint, SENT } from '../http/endpoint.js';
import { discoveryLinks } from '../http/headers.js';
import { ok } from '../http/openapi/operation.js';
import { JSON_TYPE } from '../http/send.js';
import { schemas } from './answers.js';
import { sendDocument } from './document-page.js';

/** A document as it is served: made once, hashed, pinned by clients. */
export type Hashed = {
  url: string;
  type: string;
  bytes: Buffer;
  /** Hexadecimal, of exactly the bytes served. */
  sha256: string;
};

export function hashed(url: string, type: string, text: string): Hashed {
  const bytes = Buffer.from(text, 'utf8');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { url, type, bytes, sha256 };
}

/** `/openapi.json`. */
export type MachineDescription = Hashed;

export function machineDescription(baseUrl: string, document: object): Hashed {
  return hashed(`${baseUrl}/openapi.json`, JSON_TYPE, JSON.stringify(document));
}

/** The interface of the board, as OpenAPI (spec/board.md §9). */
export const readMachineDescription = readEndpoint({
  get: '/openapi.json',
  id: 'readMachineDescription',
  tag: 'Discovery',
  summary: 'This description',
  description: 'OpenAPI 3.1, made once at the start of the process.',
  about: 'machine description of every path here, OpenAPI 3.1',
  answers: () =>
    ok('The description.', schemas.MachineDescription, {
      openapi: '3.1.0',
      paths: {},
    }),
  passes: () => [discoveryLinks()],
  handle:
    ({ description }) =>
    ({ req, res }) => {
      sendDocument(req, res, description());
      return SENT;
    },
});
