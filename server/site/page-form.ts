import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { oneOf } from '../http/query-fields.js';
import { acceptedByName } from './accept.js';

/** How a page is wanted: `?format=text`, or Markdown by the Accept header. */
export type PageForm = 'html' | 'text' | 'markdown';

/** The query of every page; pages that take more extend it. */
export const pageQuery = z.object({ format: oneOf(['text']).optional() });

export function pageForm(
  req: IncomingMessage,
  { format }: z.output<typeof pageQuery>,
): PageForm {
  if (format !== undefined) return 'text';
  return acceptedByName(req) === 'markdown' ? 'markdown' : 'html';
}
