import type { Request } from 'express';
import type { z } from 'zod';
import { BoardError } from '../../errors.js';
import { baseUrlOf, pathOf } from '../post-action.js';
import { parseBody } from './validate.js';

/** Fields of first steps only. */
const FIRST: ReadonlySet<string> = new Set(
  'body title reply_to room name poll vote option request_id'.split(' '),
);

/**
 * A body for the preview is refused with its address.
 * @param previewAt added to its own path unless it begins with a slash
 */
export function parseStep<B>(
  schema: z.ZodType<B>,
  req: Request,
  previewAt: string | undefined,
): B {
  try {
    return parseBody(schema, req.body);
  } catch (error) {
    if (previewAt === undefined || !(error instanceof BoardError)) throw error;
    throw isFirstStep(req.body) ? led(error, req, previewAt) : error;
  }
}

function isFirstStep(body: unknown): boolean {
  const names = Object.keys(Object(body));
  return !names.includes('ticket') && names.some((name) => FIRST.has(name));
}

function led(
  { code, extras }: BoardError,
  req: Request,
  previewAt: string,
): BoardError {
  const isPath = previewAt.startsWith('/');
  const path = isPath ? previewAt : `${pathOf(req)}/${previewAt}`;
  const url = `${baseUrlOf(req)}${path}`;
  const detail = `This is the second of two steps, which takes a ticket. Send these fields to POST ${url} first; its answer has the ticket and what to send here.`;
  const { faults = [], ...rest } = extras;
  const [first, ...more] = faults;
  return new BoardError(code, detail, {
    ...rest,
    ...(first === undefined ? {} : { faults: [{ ...first, detail }, ...more] }),
    suggested_action: {
      method: 'POST',
      url,
      content_type: 'application/json',
      json_template: req.body,
      instruction:
        'Send the fields of the first step here. The answer says how to finish.',
    },
  });
}
