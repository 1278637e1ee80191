import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { acceptedByName } from '../http/accept.js';
import { ignoredOf, textWithIgnored } from '../http/ignored-parameters.js';
import { integer, oneOf } from '../http/query.js';
import { requestState } from '../http/request-state.js';
import { costOfList, HTML_TYPE, setHeaders, TEXT_TYPE } from '../http/send.js';
import { sendPacked } from '../http/send-compressed.js';
import { fittingOf, MAX_BYTES } from './bodies.js';
import { boardTitle, htmlOf, type Page } from './document.js';

declare module '../http/request-state.js' {
  interface RequestState {
    /** Of the page; others are ignored. */
    parameters?: readonly string[];
  }
}

/** `?format=text`, or text or Markdown by Accept. */
type PageForm = 'html' | 'text' | 'markdown';

export const pageQuery = z.object({ format: oneOf(['text']).optional() });

export function pageForm(
  req: IncomingMessage,
  { format }: z.output<typeof pageQuery>,
): PageForm {
  if (format !== undefined) return 'text';
  const named = acceptedByName(req);
  return named === 'markdown' || named === 'text' ? named : 'html';
}

export const numberOrNull = integer().nullable().default(null);

export function redirect(res: Response, url: string): void {
  res.setHeader('Cache-Control', 'no-store');
  res.redirect(302, url);
}

/** Browsers send empty texts for unchosen fields. */
export function formField<T extends z.ZodType>(field: T) {
  const isEmptyText = (values: unknown) =>
    Array.isArray(values) && values.length === 1 && values[0] === '';
  return z.preprocess((it) => (isEmptyText(it) ? undefined : it), field);
}

const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';

/** Caches keep status 200 only, and no pages for one reader. */
export function sendPage(
  req: Request,
  res: Response,
  page: Page,
  status = 200,
  isKept = status === 200,
): void {
  sendHtml(req, res, bytesOf(req, page), page, status, isKept);
}

const bytesOf = (req: Request, page: Page) =>
  Buffer.from(htmlOf(boardTitle(req), page), 'utf8');

function sendHtml(
  req: Request,
  res: Response,
  bytes: Buffer,
  { until, items = 0 }: Page,
  status = 200,
  isKept = true,
): void {
  const state = requestState(req);
  state.cost = Math.max(state.cost, costOfList(items));
  setHeaders(req, res, 'html');
  res.vary('Accept');
  const cache = isKept ? 'revalidate' : 'no-store';
  sendPacked(req, res, bytes, { type: HTML_TYPE, cache, status, until });
}

/** Ends at `MAX_BYTES`, with fewer items. */
async function sendFitting(
  req: Request,
  res: Response,
  html: (most: number) => Page | Promise<Page>,
): Promise<void> {
  let most = Number.POSITIVE_INFINITY;
  for (;;) {
    const isFull = most < Number.POSITIVE_INFINITY;
    const page = { ...(await html(most)), isFull };
    const { items = 1, fits = items } = page;
    if (fits < items) {
      most = fits;
      continue;
    }
    const bytes = bytesOf(req, page);
    if (bytes.length <= MAX_BYTES || items <= 1) {
      return sendHtml(req, res, bytes, page);
    }
    most = fittingOf(items, bytes.length);
  }
}

/**
 * Only the wanted form is made. `until`: when the text changes by itself.
 * `html` is called again for fewer items where it is too long.
 */
export async function sendForm(
  req: Request,
  res: Response,
  query: z.output<typeof pageQuery>,
  forms: {
    html: (most: number) => Page | Promise<Page>;
    text: () => string | Promise<string>;
  },
  until?: number,
): Promise<void> {
  const form = pageForm(req, query);
  if (form === 'html') return await sendFitting(req, res, forms.html);
  const { parameters = [] } = requestState(req);
  const ignored = ignoredOf(req.originalUrl, parameters);
  const text = await forms.text();
  const told = ignored === null ? text : textWithIgnored(text, ignored);
  const bytes = Buffer.from(told, 'utf8');
  setHeaders(req, res, 'text');
  res.vary('Accept');
  const type = form === 'markdown' ? MARKDOWN_TYPE : TEXT_TYPE;
  sendPacked(req, res, bytes, { type, cache: 'revalidate', until });
}
