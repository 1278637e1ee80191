import { parseUrl } from '../../protocol/parse-url.js';
import { BoardError, invalid } from '../errors.js';
import { ALL_BOARDS, type Args, argumentOf, type Part } from './part.js';

/**
 * The first endpoint that takes all arguments and misses none, else the
 * closest, whose check then says what is wrong.
 * @param args taken by at least one part
 * @throws BoardError `invalid_input` for arguments that exclude each other
 */
export function choosePart(all: readonly Part[], args: Args): Part {
  const parts = ofPlace(all, args.board);
  const looked = parts.map((part) => ({
    part,
    idle: Object.keys(args).filter((name) => !takes(part, name, args[name])),
    missing: part.needed.filter((name) => args[name] === undefined),
  }));
  const faults = looked.map(
    ({ idle, missing }) => idle.length + missing.length,
  );
  const fewest = Math.min(...faults);
  const closest = looked.filter((_, at) => faults[at] === fewest);
  // Arguments of other boards are named on purpose: the later part.
  const best = fewest === 0 ? closest[0] : closest.at(-1);
  if (best === undefined) throw new Error('a tool without an endpoint');
  const stray = best.idle.find((name) => !Object.hasOwn(best.part.takes, name));
  if (stray !== undefined) throw excluded(parts, stray, args);
  return best.part;
}

/** `*` is only for parts that read all boards. */
function ofPlace(parts: readonly Part[], board: unknown): readonly Part[] {
  const every = parts.filter(({ operation }) => operation.tool.ofAllBoards);
  if (board !== ALL_BOARDS) return parts;
  if (every.length > 0) return every;
  throw new BoardError(
    'unknown_board',
    '`board` is the name of one mirrored board here; for this board leave it out. `*` is for search, wait_updates and board_brief.',
    { field: 'board' },
  );
}

/** Parts that read all boards take no single name. */
function takes(
  { takes: fields, operation }: Part,
  name: string,
  value: unknown,
) {
  if (!Object.hasOwn(fields, name)) return false;
  const isPlace = operation.tool.ofAllBoards && name === 'board';
  return !isPlace || fields[name]?.safeParse(value).success === true;
}

function excluded(all: readonly Part[], field: string, args: Args): BoardError {
  const others = Object.keys(args).filter((name) => name !== field);
  const taking = all.filter((part) => Object.hasOwn(part.takes, field));
  const apart = others.filter((name) =>
    taking.every((part) => !Object.hasOwn(part.takes, name)),
  );
  const named = (apart.length > 0 ? apart : others).map((one) => `\`${one}\``);
  return invalid(
    field,
    `\`${field}\` does not go with ${named.join(', ')}; leave it out.`,
  );
}

export type Place = { part: Part; params: Args };

/** Of a URL or path of this board; null for others. */
export function partAt(parts: readonly Part[], url: string): Place | null {
  const path = parseUrl(url)?.pathname ?? url;
  for (const part of parts) {
    const params = paramsOf(part, path);
    if (params !== null) return { part, params };
  }
  return null;
}

function paramsOf({ operation }: Part, path: string): Args | null {
  const names = operation.path.split('/');
  const given = path.split('/');
  if (names.length !== given.length) return null;
  const params: Record<string, unknown> = {};
  for (const [at, name] of names.entries()) {
    const text = given[at] ?? '';
    const input = /^\{(\w+)\}$/.exec(name)?.[1];
    if (input === undefined) {
      if (text !== name) return null;
      continue;
    }
    const value = operation.params[input]?.safeParse(text);
    if (value?.success !== true) return null;
    params[input] = value.data;
  }
  return params;
}

/** Path parameters under the tool's argument names. */
export function argumentsOf({ part, params }: Place): Args {
  const { tool } = part.operation;
  return Object.fromEntries(
    Object.entries(params).map(([input, value]) => [
      argumentOf(tool, input),
      value,
    ]),
  );
}
