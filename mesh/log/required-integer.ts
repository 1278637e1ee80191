import type { Request } from 'express';
import { BoardError } from '../../server/errors.js';
import { readQuery } from '../../server/http/query.js';

/** A query parameter that the log cannot answer without. */
export function requiredInteger(req: Request, name: string): number {
  const value = readQuery(req).integer(name, { default: null });
  if (value !== null) return value;
  throw new BoardError('invalid_input', `\`${name}\` is required.`, {
    field: name,
  });
}
