import type { Request, Response } from 'express';
import { sendText } from '../../http/conditional.js';

const TYPES = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
} as const;

/** Answers with a file to keep. `name` holds no stranger's text. */
export function sendExport(
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
