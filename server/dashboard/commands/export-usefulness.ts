import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { Context } from '../../context.js';
import { BoardError } from '../../errors.js';
import { sendText } from '../../http/conditional.js';
import { pathInteger } from '../../http/query.js';
import { oneOf, parseQuery } from '../../http/query-fields.js';
import { csv } from '../csv.js';
import { listed, readReport } from './usefulness-reports.js';

const QUERY = z.object({ format: oneOf(['csv', 'json']).default('json') });

/** Every figure of a report as a line of its name and its value. */
function lines(
  value: unknown,
  name: string,
): { figure: string; value: unknown }[] {
  if (typeof value !== 'object' || value === null) {
    return [{ figure: name, value }];
  }
  return Object.entries(value).flatMap(([key, inner]) =>
    lines(inner, name === '' ? key : `${name}.${key}`),
  );
}

/**
 * GET /admin/api/do/usefulness/{id}?format=csv|json: one report, a draft
 * too; as CSV one figure a line. 404.
 */
export function exportUsefulness(ctx: Context): RequestHandler {
  return async (req, res) => {
    const id = pathInteger(req.params.id);
    if (id === null) throw new BoardError('not_found', 'There is no such ID.');
    const { format } = parseQuery(QUERY, req.originalUrl);
    const report = listed(await readReport(ctx.reads, id));
    const text =
      format === 'csv'
        ? csv(['figure', 'value'], lines(report, ''))
        : JSON.stringify(report);
    sendExport(req, res, `usefulness-${id}`, format, text);
  };
}

const TYPES = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
} as const;

/** Answers with a file to keep. `name` holds no stranger's text. */
function sendExport(
  req: Request,
  res: Response,
  name: string,
  format: keyof typeof TYPES,
  text: string,
): void {
  const line = `attachment; filename="${name}.${format}"`;
  res.setHeader('Content-Disposition', line);
  sendText(req, res, text, { cache: 'no-store', type: TYPES[format] });
}
