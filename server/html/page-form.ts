import type { Request } from 'express';
import type { QueryReader } from '../http/query.js';
import { acceptedByName } from './accept.js';

/** How a page is wanted: `?format=text`, or Markdown by the Accept header. */
export type PageForm = 'html' | 'text' | 'markdown';

export function pageForm(req: Request, query: QueryReader): PageForm {
  if (query.oneOf('format', ['text']) !== undefined) return 'text';
  return acceptedByName(req) === 'markdown' ? 'markdown' : 'html';
}
