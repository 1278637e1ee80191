import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { acceptedByName } from '../http/accept.js';
import { integer, oneOf } from '../http/query.js';
import { HTML_TYPE, setHeaders, TEXT_TYPE } from '../http/send.js';
import { sendPacked } from '../http/send-compressed.js';
import { MAX_BYTES } from './bodies.js';
import { boardTitle, htmlOf, type Page } from './document.js';

/** How a page is wanted: `?format=text`, or Markdown by the Accept header. */
type PageForm = 'html' | 'text' | 'markdown';

/** The query of every page; pages that take more extend it. */
export const pageQuery = z.object({ format: oneOf(['text']).optional() });

export function pageForm(
  req: IncomingMessage,
  { format }: z.output<typeof pageQuery>,
): PageForm {
  if (format !== undefined) return 'text';
  return acceptedByName(req) === 'markdown' ? 'markdown' : 'html';
}

/** A number that may be left out. */
export const numberOrNull = integer().nullable().default(null);

/** A field of a form: browsers send what was not chosen as an empty text. */
export function formField<T extends z.ZodType>(field: T) {
  const isEmptyText = (values: unknown) =>
    Array.isArray(values) && values.length === 1 && values[0] === '';
  return z.preprocess((it) => (isEmptyText(it) ? undefined : it), field);
}

const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';

/**
 * Sends a page with its headers, its tag and, unless it says so, status 200. No
 * other status is kept by caches, nor a page that is for one reader.
 */
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
  { until }: Page,
  status = 200,
  isKept = true,
): void {
  setHeaders(req, res, 'html');
  res.vary('Accept');
  const cache = isKept ? 'revalidate' : 'no-store';
  sendPacked(req, res, bytes, { type: HTML_TYPE, cache, status, until });
}

/** What is left of an estimate of how many items fit. */
const CAUTION = 0.9;

/** A page that ends at `MAX_BYTES`, with fewer items than it would have. */
async function sendFitting(
  req: Request,
  res: Response,
  html: (most: number) => Page | Promise<Page>,
): Promise<void> {
  let most = Number.POSITIVE_INFINITY;
  for (;;) {
    const isFull = most < Number.POSITIVE_INFINITY;
    const page = { ...(await html(most)), isFull };
    const bytes = bytesOf(req, page);
    const { items = 1 } = page;
    if (bytes.length <= MAX_BYTES || items <= 1) {
      return sendHtml(req, res, bytes, page);
    }
    const fitting = (items * MAX_BYTES * CAUTION) / bytes.length;
    most = Math.max(1, Math.floor(fitting));
  }
}

/**
 * Makes and sends the form that is wanted, and only that one. `until`: when the
 * text changes by itself; the page says that of itself. `html` is asked again
 * for a page of fewer items where the first is too long.
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
  const bytes = Buffer.from(await forms.text(), 'utf8');
  setHeaders(req, res, 'text');
  res.vary('Accept');
  const type = form === 'markdown' ? MARKDOWN_TYPE : TEXT_TYPE;
  sendPacked(req, res, bytes, { type, cache: 'revalidate', until });
}
