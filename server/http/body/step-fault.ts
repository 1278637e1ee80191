import type { Request } from 'express';
import { BoardError, toPost } from '../../errors.js';
import { baseUrlOf, pathOf, withFreshUuid } from '../post-action.js';
import { plainUuid } from './guess.js';

/** Fields of first steps only. */
const FIRST: ReadonlySet<string> = new Set(
  'body title reply_to room name poll vote option request_id'.split(' '),
);

/**
 * A body for the preview is refused with its address.
 * @param error of the body
 * @param previewAt added to its own path unless it begins with a slash
 */
export function stepFault(
  error: unknown,
  req: Request,
  previewAt: string | undefined,
  template: object,
): unknown {
  if (!(error instanceof BoardError)) return error;
  if (previewAt !== undefined && isFirstStep(req.body)) {
    return led(error, req, previewAt);
  }
  return withUuid(error, req, template);
}

/** Where none was sent that can be one. */
function withUuid(error: BoardError, req: Request, template: object) {
  const { code, detail, extras } = error;
  const lacks = extras.faults?.some(
    ({ error: kind, field }) =>
      kind === 'invalid_input' && field === 'request_id',
  );
  const isAlone = extras.faults?.length === 1;
  const isEmpty = Object.keys(Object(req.body)).length === 0;
  if (!lacks || !(isAlone || isEmpty)) return error;
  const kept = plainUuid(Object(req.body).request_id);
  const suggested_action = withFreshUuid(req, isAlone ? {} : template, kept);
  return new BoardError(code, detail, { ...extras, suggested_action });
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
    suggested_action: toPost(
      url,
      req.body,
      'Send the fields of the first step here. The answer says how to finish.',
    ),
  });
}
