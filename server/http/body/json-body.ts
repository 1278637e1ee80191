import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { BoardError } from '../../errors.js';
import { timesSent } from '../edge/header-count.js';
import { readBody } from './raw-body.js';
import { parseStrictJson } from './strict-json.js';

const MAX_BYTES = 65_536;
const JSON_TYPE =
  /^application\/json[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?$/i;

/** Refuses what the headers of a POST show already, in the order of 1.6. */
function checkJsonHeaders(req: IncomingMessage, url: string): void {
  if (/\?./.test(url)) {
    throw new BoardError(
      'url_parameters_rejected',
      'A POST takes no URL parameters; send every field in the JSON body.',
    );
  }
  const type = req.headers['content-type'];
  if (
    type === undefined ||
    timesSent(req, 'content-type') !== 1 ||
    !JSON_TYPE.test(type)
  ) {
    throw new BoardError(
      'unsupported_media_type',
      'Send the header Content-Type: application/json, with no parameter but charset=utf-8.',
    );
  }
  const transfer = req.headers['transfer-encoding'] ?? 'chunked';
  const encoded = transfer.toLowerCase() !== 'chunked';
  if (encoded || req.headers['content-encoding'] !== undefined) {
    throw new BoardError(
      'unsupported_media_type',
      'Send the body as it is, without Content-Encoding or a Transfer-Encoding other than chunked.',
    );
  }
}

/**
 * Puts the strictly parsed body of a POST into `req.body` (spec/board.md §1.6).
 *
 * It is `unknown` and of any JSON type: `parseBody` gives it its shape.
 */
export function jsonBody(maxBytes: number = MAX_BYTES): RequestHandler {
  return async (req, res, next) => {
    checkJsonHeaders(req, req.originalUrl);
    req.body = parseStrictJson(await readBody(req, res, maxBytes));
    next();
  };
}
