import type { Request, RequestHandler, Response } from 'express';
import { BoardError } from '../errors.js';
import { endAnswer } from '../http/fast/end-response.js';
import { setHeaders } from '../http/headers.js';
import { nothingHere } from './error-page.js';

const DATA_PATH = /^\/(?:api|write|log[0-9]*|mirror|admin\/api)(?:\/|$)/i;

/** Throws for programs, answers with a page for people (spec/board.md §1.8). */
export function answerNotFound(req: Request, res: Response): void {
  const path = req.originalUrl.replace(/\?.*$/s, '');
  if (DATA_PATH.test(path)) {
    throw new BoardError('not_found', 'There is nothing at this address.');
  }
  const bytes = Buffer.from(nothingHere(req), 'utf8');
  setHeaders(req, res, 'html');
  res.status(404);
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Content-Type', 'text/html; charset=utf-8');
  res.setHeader('Content-Length', bytes.length);
  endAnswer(req, res, bytes);
}

/** The last route: no other one matched. */
export function notFound(): RequestHandler {
  return (req, res) => answerNotFound(req, res);
}
