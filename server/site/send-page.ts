import type { Request, Response } from 'express';
import { HTML_TYPE, TEXT_TYPE } from '../http/conditional.js';
import { setHeaders } from '../http/headers.js';
import { sendPacked } from '../http/send-compressed.js';
import { htmlOf, type Page } from './document.js';

const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';

/** Sends a page with its headers, its tag and, unless it says so, status 200. */
export function sendPage(
  req: Request,
  res: Response,
  page: Page,
  status = 200,
): void {
  setHeaders(req, res, 'html');
  res.vary('Accept');
  const bytes = Buffer.from(htmlOf(page), 'utf8');
  const cache = status === 200 ? 'revalidate' : 'no-store';
  sendPacked(req, res, bytes, { type: HTML_TYPE, cache, status });
}

/** Sends a page's text form; `asMarkdown` when the Accept header chose it. */
export function sendTextForm(
  req: Request,
  res: Response,
  text: string,
  asMarkdown: boolean,
): void {
  setHeaders(req, res, 'text');
  res.vary('Accept');
  const type = asMarkdown ? MARKDOWN_TYPE : TEXT_TYPE;
  const bytes = Buffer.from(text, 'utf8');
  sendPacked(req, res, bytes, { type, cache: 'revalidate' });
}
