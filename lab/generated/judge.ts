import { ERROR_CODES, MEANINGS } from '../../server/errors.js';
import type { Description, Exchange } from '../../test/support/conforms.js';
import type { Generated } from './requests/parts.js';

type ErrorBody = { error?: string; field?: string };

/** Codes that find fault with the form of a request, not with what it asks. */
const OF_FORM = new Set([
  ...['unknown_field', 'url_parameters_rejected', 'invalid_json', 'too_long'],
  ...['invalid_unicode', 'request_too_large', 'unsupported_media_type'],
  ...['forbidden', 'headers_too_large'],
]);

/** From about here a request may be over the 8192 bytes of its head. */
const LONG_HEAD = 8000;

/** Who names a board that is not here hears of that first. */
const NO_SUCH_BOARD = new Set(['unknown_board', 'unknown_origin']);

/** What an answer has that is not described, or that its request does not earn. */
export function problemsOf(
  description: Description,
  it: Generated,
  answer: Exchange,
): string[] {
  return [
    ...description.problems(answer),
    ...errorProblems(answer),
    ...verdict(it, answer),
  ];
}

/** A board on a busy machine: it says so, and when to come again. */
export function isBusy(answer: Exchange): boolean {
  return answer.status === 503 && errorOf(answer).error === 'unavailable';
}

function verdict(it: Generated, answer: Exchange): string[] {
  if (isBusy(answer)) return [];
  // Valid values may be too long for an address, and then nothing is read.
  if (answer.status === 431 && headOf(it) > LONG_HEAD) return [];
  return it.refusal === null ? refusedFor(it, answer) : missed(it, answer);
}

/** Characters of the request line and the headers, about. */
function headOf({ path, headers }: Generated): number {
  return path.length + JSON.stringify(headers).length;
}

function errorOf({ status, text }: Exchange): ErrorBody {
  if (status < 400 || !text.startsWith('{')) return {};
  const body = JSON.parse(text) as ErrorBody | { error: { data?: ErrorBody } };
  // An object is JSON-RPC's, with the board's error in it.
  if (typeof body.error === 'object') return body.error.data ?? {};
  return body as ErrorBody;
}

/** A code has one status, a 405 its methods, and the board no trouble. */
function errorProblems(answer: Exchange): string[] {
  const { status, headers, method, path } = answer;
  const { error } = errorOf(answer);
  const code = ERROR_CODES.find((one) => one === error);
  const problems: string[] = [];
  if (code !== undefined && MEANINGS[code].status !== status) {
    problems.push(`${code} with ${status}`);
  }
  if (status === 405 && (headers.allow ?? '').split(', ').includes(method)) {
    problems.push(`405, but Allow: ${headers.allow}`);
  }
  // The clock of a test is not the database's, which `/readyz` tells.
  const isReadiness = path.split('?')[0] === '/readyz';
  if (status >= 500 && !isReadiness && !isBusy(answer)) {
    problems.push(`the board is in trouble: ${status} ${answer.text}`);
  }
  return problems;
}

/** Nothing of its form is at fault: is it refused for that? */
function refusedFor({ method, path }: Generated, answer: Exchange): string[] {
  const { error = '' } = errorOf(answer);
  const isRead = method === 'GET' || method === 'HEAD';
  const isRefusedRead = answer.status === 405 && path.startsWith('/write/');
  if (isRefusedRead && isRead) return [];
  const wrong = isRead && answer.status === 400 && !dependent(path, answer);
  return wrong || OF_FORM.has(error)
    ? [`refused, though nothing is wrong with it: ${answer.status} ${error}`]
    : [];
}

/** Rules between parameters, which a schema of each cannot say. */
function dependent(path: string, answer: Exchange): boolean {
  if (/^\/api\/(?:mesh\/boards\/[^/]+\/)?thread\//.test(path)) {
    const { field } = errorOf(answer);
    return (
      answer.method === 'HEAD' || /^(?:before|max_bytes)$/.test(field ?? '')
    );
  }
  // Exactly one of its selectors.
  if (/^\/api\/inbox(?:\?|$)/.test(path)) return true;
  // A cursor far ahead of the board.
  if (/^\/api\/(?:updates|inbox\/)/.test(path)) {
    return answer.method === 'HEAD' || errorOf(answer).field === 'since';
  }
  return /^\/(?:log|mirror\/[^/]+)\/consistency/.test(path);
}

/** It is not refused, or not for its fault. */
function missed(
  { method, path, refusal }: Generated,
  answer: Exchange,
): string[] {
  const { error = '', field } = errorOf(answer);
  if (refusal === null || NO_SUCH_BOARD.has(error)) return [];
  // What it asks for is looked at first, and no schema has its form.
  if (/^\/api\/inbox\?/.test(path) && /ids$/.test(field ?? '')) return [];
  if ('field' in refusal) {
    const { status } = answer;
    const isRefused = status === 400 || status === 422;
    // New parameters are never refused where they were ignored (§1.4).
    const isNamed = new RegExp(
      `"ignored_parameters":\\[[^\\]]*"${refusal.field}"`,
    ).test(answer.text);
    // Nothing is named below `/api/mesh`.
    const isMesh = refusal.field === 'format' && path.startsWith('/api/mesh/');
    const isEmpty = method === 'HEAD' && status === 200;
    if (isEmpty || status === 304) return [];
    if (status === 200 && (isNamed || isMesh)) return [];
    const isSaid = refusal.codes?.some((code) => code === error) ?? true;
    return isRefused && isSaid && field?.split('.')[0] === refusal.field
      ? []
      : [`not refused for \`${refusal.field}\`: ${status} ${error} ${field}`];
  }
  const statuses = refusal.codes.map((code) => MEANINGS[code].status);
  const isRefused =
    method === 'HEAD'
      ? statuses.includes(answer.status as (typeof statuses)[number])
      : refusal.codes.some((code) => code === error);
  return isRefused
    ? []
    : [`not refused by ${refusal.codes.join()}: ${answer.status} ${error}`];
}
