import type { Request } from 'express';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { cutCodePoints } from '../http/code-points.js';
import { textHow } from '../http/endpoint.js';
import type { ThreadQuery } from '../http/openapi/parameters.js';
import { canonical, parameterNames } from '../http/query.js';
import {
  blockOf,
  headLine,
  labelled,
  type ReadableItem,
  type TextHow,
} from '../http/text-form.js';
import type { MessageRow, Source } from './message-columns.js';
import { type ViewOptions, viewOptions } from './message-view.js';
import {
  scoredReplies,
  type ThreadPage,
  threadMessages,
  threadPlace,
} from './thread-page.sql.js';

/** Where the thread is, and how its messages are shown. */
export type BudgetedThread = {
  page: ThreadPage;
  source: Source;
  /** By its root. */
  url: string;
  show: (row: MessageRow, view: ViewOptions) => ReadableItem;
  /** The usual answer, for the first line. */
  view: object;
};

/** A message that may be shown; `rank`: messages of the thread before it. */
type Candidate = { id: number; rank: number; score: number; bytes: number };

const NEWEST = 5;
const SCORED = 1000;
const CUT_MIN = 80;
/** Least bytes of a message in text, lean and full. */
const LEAST = { lean: 40, full: 500 };
const OTHERS = ['since', 'before', 'last', 'limit'];

/** @throws BoardError `invalid_input` with what `max_bytes` does not go with */
export function assertBudget(
  { format }: ThreadQuery,
  { originalUrl }: Request,
): void {
  const names = parameterNames(originalUrl);
  const other = OTHERS.find((name) => names.includes(name));
  if (other === undefined && format === 'text') return;
  const why =
    other === undefined
      ? 'bounds a text; ask with `format=text`, or leave it out.'
      : `chooses from the whole thread and does not go with \`${other}\`; leave it out.`;
  throw new BoardError('invalid_input', `\`max_bytes\` ${why}`, {
    field: 'max_bytes',
  });
}

/** Leaves room for what the first line says of ignored parameters. */
export function besides(
  ignored: object | null,
  { max_bytes: most, ...query }: ThreadQuery,
): ThreadQuery {
  if (most === undefined) return query;
  const said = ignored === null ? '' : JSON.stringify(ignored);
  return { ...query, max_bytes: most - Buffer.byteLength(said) };
}

/**
 * What matters of a thread in at most so many bytes, by the thread and the
 * parameters alone (spec/board.md §2.25).
 */
export async function textWithin(
  ctx: Context,
  req: Request,
  most: number,
  query: ThreadQuery,
  { page: { root }, source, url, show, view }: BudgetedThread,
): Promise<{ text: string; items: number }> {
  const options = viewOptions(ctx, query);
  const { preview, full } = options;
  const how = textHow(req, full);
  const least = full ? LEAST.full : LEAST.lean;
  const limit = Math.max(SCORED, Math.floor(most / least) + 1);
  const [place, replies] = await Promise.all([
    threadPlace(ctx.reads, root.newest, source),
    scoredReplies(ctx.reads, root, limit, source),
  ]);
  const total = (place?.rank ?? 0) + 1;
  const opener = {
    id: root.id,
    rank: 0,
    score: root.score,
    bytes: Buffer.byteLength(root.body ?? ''),
  };
  const ranked = replies.map((one, at) => ({ ...one, rank: total - 1 - at }));
  const could = affordable([opener, ...inOrder(ranked)], most, least, preview);
  const cap = preview === 0 ? fairCut(could, most) : preview;
  const rows = await threadMessages(
    ctx.reads,
    could.slice(1).map(({ id }) => id),
    full ? null : cap + 1,
    options,
    source,
  );
  const shown = new Map(
    [root, ...rows].map((row) => [row.id, show(row, options)]),
  );
  const gap = (count: number, since: number) => {
    const size = Math.min(count, ctx.limits.page_max);
    const kept = { preview: preview || undefined, full };
    const address = `${url}${canonical({ since, limit: size, ...kept })}`;
    return `GAP ${count} left out: ${how.link(address) ?? ''}\n\n`;
  };
  const text = fitted({ could, shown, total, most, preview, cap }, (parts) => {
    const told = { messages: total, left_out: total - parts.length };
    return [
      headWithin(most / 3, view, told, how),
      ...withGaps(parts, total, gap, how),
      labelled('END', { count: parts.length, cursor: root.newest }),
    ].join('');
  });
  return { text, items: could.length + Math.ceil(replies.length / 10) };
}

/** After the opener: the newest, the best of the newest, then the newer. */
function inOrder(replies: readonly Candidate[]): Candidate[] {
  const scored = replies.slice(NEWEST, SCORED);
  scored.sort((a, b) => b.score - a.score || b.id - a.id);
  return [
    ...replies.slice(0, NEWEST),
    ...scored,
    ...replies.slice(Math.max(NEWEST, SCORED)),
  ];
}

/** Without those that cannot fit, however short their bodies are cut. */
function affordable(
  order: readonly Candidate[],
  most: number,
  least: number,
  preview: number,
): Candidate[] {
  let left = most;
  const end = order.findIndex(({ bytes }) => {
    left -= least + Math.min(bytes, preview || CUT_MIN);
    return left < 0;
  });
  return order.slice(0, end === -1 ? order.length : Math.max(1, end));
}

/** Code points of a body, so that all bodies together can have `most` bytes. */
function fairCut(could: readonly Candidate[], most: number): number {
  const sum = (cut: number) =>
    could.reduce((all, { bytes }) => all + Math.min(bytes, cut), 0);
  return largest(CUT_MIN, most, (cut) => sum(cut) <= most);
}

/** The largest integer that fits; `min` where none does. */
function largest(
  min: number,
  max: number,
  fits: (value: number) => boolean,
): number {
  let low = min;
  for (let high = max; low < high; ) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

type Part = Pick<Candidate, 'id' | 'rank'> & { item: ReadableItem };
type Choice = {
  could: readonly Candidate[];
  shown: ReadonlyMap<number, ReadableItem>;
  total: number;
  most: number;
  preview: number;
  cap: number;
};

/** Bodies are cut first, that of the opener last; then messages are left out. */
function fitted(
  { could, shown, total, most, preview, cap }: Choice,
  write: (parts: readonly Part[]) => string,
): string {
  const whole = Number.POSITIVE_INFINITY;
  const made = (count: number, cut: number, opener: number) => {
    const parts = could.slice(0, count).flatMap(({ id, rank }, at) => {
      const item = shown.get(id);
      const size = at === 0 ? opener : cut;
      return item ? [{ id, rank, item: cutItem(item, size) }] : [];
    });
    return write(parts.sort((a, b) => a.rank - b.rank));
  };
  const bytes = (text: string) => Buffer.byteLength(text);
  const fits = (...how: Parameters<typeof made>) => bytes(made(...how)) <= most;
  const all = could.length;
  if (all === total && fits(all, whole, whole)) return made(all, whole, whole);
  if (preview > 0) {
    const count = largest(0, all, (size) => fits(size, whole, whole));
    return made(count, whole, whole);
  }
  if (all === total && fits(all, CUT_MIN, whole)) {
    const cut = largest(CUT_MIN, cap, (size) => fits(all, size, whole));
    return made(all, cut, whole);
  }
  if (all === total && fits(all, CUT_MIN, CUT_MIN)) {
    const cut = largest(CUT_MIN, most, (size) => fits(all, CUT_MIN, size));
    return made(all, CUT_MIN, cut);
  }
  const opener = largest(CUT_MIN, most, (size) => {
    return bytes(made(1, CUT_MIN, size)) - bytes(made(0, 0, 0)) <= most / 4;
  });
  const count = largest(0, all, (size) => fits(size, CUT_MIN, opener));
  return made(count, CUT_MIN, opener);
}

function cutItem(item: ReadableItem, size: number): ReadableItem {
  if (!('body' in item)) return item;
  const body = cutCodePoints(item.body, size);
  return body === item.body ? item : { ...item, body, truncated: true };
}

function withGaps(
  parts: readonly Part[],
  total: number,
  gap: (count: number, since: number) => string,
  how: TextHow,
): string[] {
  let place = { rank: -1, id: 0 };
  const texts: string[] = [];
  for (const part of parts) {
    const missing = part.rank - place.rank - 1;
    if (missing > 0) texts.push(gap(missing, place.id));
    texts.push(blockOf('MESSAGE', part.item, how));
    place = part;
  }
  const rest = total - place.rank - 1;
  return rest > 0 ? [...texts, gap(rest, place.id)] : texts;
}

const HEAD = ['root_id', 'title', 'visibility', 'poll'];
const TITLES = [80, 20, 0];

/** The poll goes first, then most of the title. */
function headWithin(
  most: number,
  view: object,
  told: object,
  how: TextHow,
): string {
  const members = Object.entries(view).filter(([name]) => HEAD.includes(name));
  const head: Record<string, unknown> = Object.fromEntries(members);
  const { poll, ...bare } = head;
  const { id } = Object(poll);
  const short = id === undefined ? bare : { ...bare, poll: { id } };
  const title = String(head.title ?? '');
  const titled = TITLES.map((size) => ({
    ...short,
    title: `${cutCodePoints(title, size)}…`,
  }));
  const lines = [head, short, ...titled].map((one) =>
    headLine('THREAD', { ...one, ...told }, how),
  );
  const fits = (line: string) => Buffer.byteLength(line) <= most + LINE_SLACK;
  return lines.find(fits) ?? lines.at(-1) ?? '';
}

/** The lines on fences, which every text has. */
const LINE_SLACK = 300;
