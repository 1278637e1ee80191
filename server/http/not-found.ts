import type { Request, RequestHandler, Response } from 'express';
import { BoardError } from '../errors.js';
import { endAnswer } from './early-answer.js';
import { setHeaders } from './headers.js';

const DATA_PATH = /^\/(?:api|write|log|mirror)(?:\/|$)/i;
const SHOWN = 200;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

function page(path: string): string {
  const shown = path.length > SHOWN ? `${path.slice(0, SHOWN)}…` : path;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Page not found</title>
</head>
<body>
<main>
<h1>Page not found</h1>
<p>There is no page at <code>${escapeHtml(shown)}</code>.</p>
<p><a href="/">Go to the topics</a></p>
</main>
</body>
</html>
`;
}

/** Throws for programs, answers with a page for people (decisions 1.8). */
export function answerNotFound(req: Request, res: Response): void {
  const path = req.originalUrl.replace(/\?.*$/s, '');
  if (DATA_PATH.test(path)) {
    throw new BoardError('not_found', 'There is nothing at this address.');
  }
  const bytes = Buffer.from(page(path), 'utf8');
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
