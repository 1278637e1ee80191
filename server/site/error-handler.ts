import type {
  ErrorRequestHandler,
  Request,
  RequestHandler,
  Response,
} from 'express';
import { BoardError, type SuggestedAction, unavailable } from '../errors.js';
import { acceptedByName } from '../http/accept.js';
import { ClientGone } from '../http/body/json-body.js';
import { isDatabaseUnavailable } from '../http/database-errors.js';
import {
  type Address,
  type Guess,
  guessAddress,
  plainPath,
} from '../http/guess-address.js';
import {
  baseUrlOf,
  isRead,
  meantWrite,
  pathOf,
  withQuery,
} from '../http/post-action.js';
import {
  endAnswer,
  HTML_TYPE,
  JSON_TYPE,
  sendText,
  setHeaders,
} from '../http/send.js';
import { mcpRefusal } from '../mcp/index.js';
import { errorPage, nothingHere, wantsErrorPage } from './error-page.js';

const RETRY_SECONDS = 5;
const MCP_PATH = '/mcp';
const JSON_BODY = 'application/json';

/** These name identifiers; other messages may quote user data. */
const SAFE_MESSAGES = new Set(['TypeError', 'RangeError', 'ReferenceError']);

/** Without body, ticket or address. */
export type ErrorRecord = {
  method: string;
  route: string;
  name: string;
  code?: string;
  message?: string;
  stack: string;
};
type ErrorLog = (record: ErrorRecord) => void;

function recordOf(error: unknown, req: Request): ErrorRecord {
  const route = String(req.route?.path ?? 'unmatched');
  const known = error instanceof Error ? error : new Error('not an Error');
  const code = 'code' in known ? known.code : undefined;
  const frames = (known.stack ?? '').split('\n').map((line) => line.trim());
  return {
    method: req.method,
    route,
    name: known.name,
    ...(typeof code === 'string' ? { code } : {}),
    ...(SAFE_MESSAGES.has(known.name) ? { message: known.message } : {}),
    stack: frames.filter((line) => line.startsWith('at ')).join('\n'),
  };
}

/** Of errors that a request caused in Express. */
function clientStatus(error: unknown): number | null {
  if (error instanceof BoardError) return null; // it says itself what it is
  if (error instanceof URIError) return 404;
  if (!(error instanceof Error) || !('status' in error)) return null;
  const status = Number(error.status);
  return status >= 400 && status < 500 ? status : null;
}

function boardError(error: unknown, req: Request, log: ErrorLog): BoardError {
  if (error instanceof BoardError) return error;
  if (isDatabaseUnavailable(error)) {
    log(recordOf(error, req));
    return unavailable(
      'The board is too busy, or cannot reach its database, just now; send the same request again later.',
      RETRY_SECONDS,
    );
  }
  if (clientStatus(error) !== null) {
    return new BoardError('invalid_input', 'The request is malformed.');
  }
  log(recordOf(error, req));
  return new BoardError(
    'internal_error',
    'Something went wrong in the board; a write can be sent again with the same request_id.',
  );
}

/** JSON (spec/board.md §1.5) or a page; never cached. */
function sendError(req: Request, res: Response, error: BoardError): void {
  const page = wantsErrorPage(req, error.status);
  const body = () =>
    pathOf(req) === MCP_PATH ? mcpRefusal(error, req.body) : error.body();
  const text = page ? errorPage(req, error) : JSON.stringify(body());
  const bytes = Buffer.from(text, 'utf8');
  for (const name of ['ETag', 'Content-Encoding', 'Content-Disposition']) {
    res.removeHeader(name);
  }
  setHeaders(req, res, page ? 'html' : 'json');
  res.status(error.status);
  res.setHeader('Content-Type', page ? HTML_TYPE : JSON_TYPE);
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Content-Length', bytes.length);
  const { retry_after_seconds: seconds } = error.extras;
  if (seconds !== undefined) res.setHeader('Retry-After', String(seconds));
  for (const [name, value] of Object.entries(error.headers)) {
    res.setHeader(name, value);
  }
  endAnswer(req, res, bytes);
}

/** The only place where exceptions become answers (spec/board.md §1.5, §12). */
export function errorHandler(log: ErrorLog): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    if (error instanceof ClientGone) return;
    if (res.headersSent) {
      if (!(error instanceof BoardError)) log(recordOf(error, req));
      req.socket.destroy();
      return;
    }
    try {
      if (clientStatus(error) === 404) answerNotFound(req, res, []);
      else sendError(req, res, boardError(error, req, log));
    } catch (refusal) {
      sendError(req, res, boardError(refusal, req, log));
    }
  };
}

const DATA_PATH = /^\/(?:api|write|log[0-9]*|mirror|mcp|admin\/api)(?:\/|$)/i;

/** At an unknown address (spec/board.md §1.8). */
function answerNotFound(
  req: Request,
  res: Response,
  known: readonly Address[],
): void {
  const path = plainPath(pathOf(req));
  const named = acceptedByName(req);
  const error = nothingAt(req, known);
  const isJson = named === 'json' || (named === null && !isRead(req));
  if (isJson || DATA_PATH.test(path)) throw error;
  const isLed = error.extras.suggested_action && path === pathOf(req);
  const isText = named === 'text' || (named !== 'html' && isLed);
  setHeaders(req, res, isText ? 'text' : 'html');
  const options = { cache: 'no-store', status: 404 } as const;
  if (isText) sendText(req, res, `${error.detail}\n`, options);
  else {
    const page = nothingHere(req, known);
    sendText(req, res, page, { ...options, type: HTML_TYPE });
  }
}

/** A write has a body of its own, unless another step comes first. */
function actionOf(guess: Guess, req: Request): SuggestedAction {
  const { method, url, body, first = isRead(req) ? body : undefined } = guess;
  const address = `${baseUrlOf(req)}${url}`;
  return {
    method: method.toUpperCase(),
    url: method === 'get' ? withQuery(address, req) : address,
    ...(first && { content_type: JSON_BODY, json_template: first }),
    instruction:
      first && url.endsWith('/preview')
        ? 'This is the first of two steps. Replace the placeholders; the answer says how to finish.'
        : 'Send the request to this address.',
  };
}

/** Names the address that was probably meant. */
function nothingAt(req: Request, known: readonly Address[]): BoardError {
  const base = baseUrlOf(req);
  const guess = guessAddress(pathOf(req), req.method, known);
  const action = guess === null ? meantWrite(req) : actionOf(guess, req);
  const meant =
    action === null ? '' : ` Did you mean ${action.method} ${action.url}?`;
  return new BoardError(
    'not_found',
    `There is nothing at this address.${meant} ${base}/llms.txt lists the addresses.`,
    {
      see: `${base}/llms.txt`,
      ...(action === null ? {} : { suggested_action: action }),
    },
  );
}

/** @param known addresses, to guess what was meant */
export function notFound(known: readonly Address[] = []): RequestHandler {
  return (req, res) => answerNotFound(req, res, known);
}
