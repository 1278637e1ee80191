import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { integer, oneOf } from '../http/query.js';
import { HTML_TYPE, setHeaders, TEXT_TYPE } from '../http/send.js';
import { sendPacked } from '../http/send-compressed.js';
import { boardTitle, htmlOf, type Page } from './document.js';

/** Quality of each media range of an Accept header (RFC 9110 12.5.1). */
function qualities(header: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const range of header.toLowerCase().split(',').slice(0, 32)) {
    const [name = '', ...parameters] = range.split(';').map((s) => s.trim());
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    const value = q === undefined ? 1 : Number(q.slice(2));
    found.set(name, Number.isFinite(value) ? value : 0);
  }
  return found;
}

/**
 * The form that a client accepts by name: ranges such as `*` name nothing, so
 * that a page stays a page by default.
 */
export function acceptedByName(
  req: IncomingMessage,
): 'html' | 'markdown' | 'json' | null {
  const accepted = qualities(req.headers.accept ?? '');
  const q = (...names: string[]) =>
    Math.max(0, ...names.map((name) => accepted.get(name) ?? 0));
  const html = q('text/html', 'application/xhtml+xml');
  const markdown = q('text/markdown', 'text/x-markdown');
  const json = q('application/json');
  const best = Math.max(html, markdown, json);
  if (best === 0) return null;
  // No browser names Markdown: who does can read it better than a page.
  if (markdown === best) return 'markdown';
  return html === best ? 'html' : 'json';
}

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
  setHeaders(req, res, 'html');
  res.vary('Accept');
  const bytes = Buffer.from(htmlOf(boardTitle(req), page), 'utf8');
  const cache = isKept ? 'revalidate' : 'no-store';
  sendPacked(req, res, bytes, { type: HTML_TYPE, cache, status });
}

/** Makes and sends the form that is wanted, and only that one. */
export async function sendForm(
  req: Request,
  res: Response,
  query: z.output<typeof pageQuery>,
  forms: {
    html: () => Page | Promise<Page>;
    text: () => string | Promise<string>;
  },
): Promise<void> {
  const form = pageForm(req, query);
  if (form === 'html') return sendPage(req, res, await forms.html());
  const bytes = Buffer.from(await forms.text(), 'utf8');
  setHeaders(req, res, 'text');
  res.vary('Accept');
  const type = form === 'markdown' ? MARKDOWN_TYPE : TEXT_TYPE;
  sendPacked(req, res, bytes, { type, cache: 'revalidate' });
}
