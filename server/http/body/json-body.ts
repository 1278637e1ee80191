import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { parseUrl } from '../../../protocol/parse-url.js';
import { BoardError, type ErrorExtras } from '../../errors.js';
import { closeToOtherSites } from '../headers.js';
import { asPost } from '../post-action.js';
import { formFields } from '../query.js';
import { requestState, timesSent } from '../request-state.js';
import { setHeaders } from '../send.js';
import { parseStrictJson } from './strict-json.js';

const MAX_BYTES = 65_536;

type Media = { name: string; pattern: RegExp; form: string; body: string };

const CHARSET = '[ \\t]*(?:;[ \\t]*charset=(?:utf-8|"utf-8")[ \\t]*)?';
const typed = (name: string) => ({
  name,
  pattern: new RegExp(`^${name}${CHARSET}$`, 'i'),
});
const JSON_MEDIA: Media = {
  ...typed('application/json'),
  form: 'a JSON object',
  body: 'the JSON body',
};
const FORM_MEDIA: Media = {
  ...typed('application/x-www-form-urlencoded'),
  form: 'a form',
  body: 'the form',
};

/** In the order of §1.6. */
function checkHeaders(
  req: IncomingMessage,
  url: string,
  wanted: Media,
  again: () => ErrorExtras = () => ({}),
): void {
  if (/\?./.test(url)) {
    throw new BoardError(
      'url_parameters_rejected',
      `A POST takes no URL parameters; send every field in ${wanted.body}.`,
      again(),
    );
  }
  const type = req.headers['content-type'];
  if (
    type === undefined ||
    timesSent(req, 'content-type') !== 1 ||
    !wanted.pattern.test(type)
  ) {
    throw new BoardError(
      'unsupported_media_type',
      `Send the fields as ${wanted.form}, with the header Content-Type: ${wanted.name} and no parameter but charset=utf-8.`,
      again(),
    );
  }
  const transfer = req.headers['transfer-encoding'] ?? 'chunked';
  const encoded = transfer.toLowerCase() !== 'chunked';
  if (encoded || req.headers['content-encoding'] !== undefined) {
    throw new BoardError(
      'unsupported_media_type',
      'Send the body as it is, without Content-Encoding or a Transfer-Encoding other than chunked.',
      again(),
    );
  }
}

/**
 * Strict (spec/board.md §1.6); `parseBody` gives it its type.
 * @param template with placeholders, for refusals
 * @param maxElements of an array, where more are allowed
 */
export function jsonBody(
  maxBytes: number = MAX_BYTES,
  template: object = {},
  maxElements?: number,
): RequestHandler {
  return async (req, res, next) => {
    const again = () => ({ suggested_action: asPost(req, template) });
    checkHeaders(req, req.originalUrl, JSON_MEDIA, again);
    const bytes = await readBody(req, res, maxBytes);
    req.body = withAction(() => parseStrictJson(bytes, maxElements), again);
    next();
  };
}

/** A body that is no JSON is shown a right one. */
function withAction<T>(parse: () => T, again: () => ErrorExtras): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof BoardError)) throw error;
    const { code, detail, extras } = error;
    throw new BoardError(code, detail, { ...extras, ...again() });
  }
}

/** The exception to JSON, for this board's own pages (spec/board.md §7). */
export function formBody(baseUrl: string, maxBytes: number): RequestHandler {
  const own = new URL(baseUrl).origin;
  return async (req, res, next) => {
    if (!isOwnForm(req, own)) {
      throw new BoardError(
        'forbidden',
        `Only the form at ${own} can be sent to this address; programs use the JSON interface.`,
      );
    }
    checkHeaders(req, req.originalUrl, FORM_MEDIA);
    req.body = formFields(await readBody(req, res, maxBytes));
    next();
  };
}

/** Terminal browsers send no `Origin`; nothing else may contradict. */
function isOwnForm({ headers }: IncomingMessage, own: string): boolean {
  const { origin, referer, 'sec-fetch-site': site = 'same-origin' } = headers;
  if (origin !== undefined) return origin === own;
  const from = referer === undefined ? own : parseUrl(referer)?.origin;
  return from === own && (site === 'same-origin' || site === 'none');
}

/**
 * Refuses POSTs of other sites' pages (spec/board.md §1.7, T12): the visitor's
 * network is an authority even without cookies.
 */
export function crossSite(baseUrl: string): RequestHandler {
  const own = new URL(baseUrl).origin;
  return (req, _res, next) => {
    if (req.method !== 'POST') return next();
    const { origin } = req.headers;
    const site = String(req.headers['sec-fetch-site'] ?? '').toLowerCase();
    const foreign = origin !== undefined && origin !== own;
    if (!foreign && !site.includes('cross-site')) return next();
    throw new BoardError(
      'forbidden',
      `Pages of other sites cannot write here; send the request without a browser or from ${own}.`,
    );
  };
}

/** A page must not learn what its visitor's network may write. */
export function ownSiteOnly(): RequestHandler {
  return (req, res, next) => {
    closeToOtherSites(req);
    setHeaders(req, res, 'json');
    const site = String(req.headers['sec-fetch-site'] ?? '').toLowerCase();
    if (!site.includes('cross-site')) return next();
    throw new BoardError(
      'forbidden',
      'Pages of other sites cannot read what a network may write; ask without a browser.',
    );
  };
}

/** While its body was read: nobody to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** Closes the connection, too. */
function tooLarge(res: ServerResponse, maxBytes: number): BoardError {
  res.setHeader('Connection', 'close');
  return new BoardError(
    'request_too_large',
    `The request body is larger than ${maxBytes} bytes; shorten it.`,
  );
}

/**
 * At most `maxBytes` (spec/board.md §1.6); then it stops reading and the answer
 * closes the connection.
 * @throws BoardError `request_too_large`, at once by Content-Length; ClientGone
 *   after an abort
 */
export async function readBody(
  req: IncomingMessage,
  res: ServerResponse,
  maxBytes: number,
): Promise<Uint8Array> {
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) {
    throw tooLarge(res, maxBytes);
  }
  const state = requestState(req);
  if (state.awaitsContinue) {
    state.awaitsContinue = false;
    res.writeContinue();
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= maxBytes) return;
      req.pause();
      settle();
      reject(tooLarge(res, maxBytes));
    };
    const onEnd = (): void => {
      settle();
      resolve(Buffer.concat(chunks, length));
    };
    const onGone = (): void => {
      settle();
      reject(new ClientGone());
    };
    const settle = (): void => {
      req.off('data', onData).off('end', onEnd).off('close', onGone);
    };
    req.on('data', onData).on('end', onEnd).on('close', onGone);
    req.on('error', onGone); // stays: a late reset must not end the process
  });
}
