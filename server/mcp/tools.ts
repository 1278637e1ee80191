import { z } from 'zod';
import { BoardError, type Fault, invalid } from '../errors.js';
import {
  correctNames,
  refusalOf,
  withoutEmpty,
} from '../http/body/validate.js';
import type { Operation } from '../http/openapi/operation.js';
import { listedSchema } from '../http/openapi/operation-object.js';
import { choosePart, partAt } from './choose-part.js';
import type { Request } from './dispatch.js';
import {
  ALL_BOARDS,
  type Args,
  type Declared,
  type Part,
  partOf,
} from './part.js';

/** Shown to models (MCP, Tools). */
type Listed = {
  name: string;
  description: string;
  inputSchema: { type: 'object'; [member: string]: unknown };
  /** Hints; clients must not trust them. */
  annotations: Readonly<Record<string, boolean>>;
};

export type Tool = {
  listed: Listed;
  parts: readonly Part[];
  /** @throws BoardError for arguments that it does not take. */
  call(args: Args): { part: Part; request: Request };
  /** By argument: the right name of an alias. */
  renamed(args: Args): ReadonlyMap<string, string>;
};

const READS = { readOnlyHint: true };
const WRITES = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
};

/** By declaration (spec/board.md §9), readers first. */
export function toolsOf(operations: readonly Operation[]): readonly Tool[] {
  const declared = operations.filter((one) => one.tool !== undefined);
  const byName = new Map<string, Declared[]>();
  for (const one of declared as Declared[]) {
    byName.set(one.tool.name, [...(byName.get(one.tool.name) ?? []), one]);
  }
  const tools = [...byName.values()].map(toolOf);
  const reads = ({ listed }: Tool) => listed.annotations === READS;
  return [...tools.filter(reads), ...tools.filter((one) => !reads(one))];
}

function toolOf(operations: readonly Declared[]): Tool {
  const [first] = operations;
  if (first === undefined) throw new Error('a tool without an endpoint');
  const { byUrl } = first.tool;
  const parts = operations.map((one) => partOf(one, byUrl !== undefined));
  const said = operations.find(({ tool }) => tool.description !== undefined);
  const description = said?.tool.description ?? first.description;
  const known = argumentsOf(parts, byUrl);
  const { name } = first.tool;
  const schema = z.strictObject(known);
  const listed: Listed = {
    name,
    description,
    inputSchema: { type: 'object', ...listedSchema(schema) },
    annotations: first.method === 'get' ? READS : WRITES,
  };
  const words = { kind: `no argument of ${name}`, known: 'Its arguments' };
  const call = (args: Args) => {
    if (byUrl !== undefined) return callByUrl(parts, byUrl, args);
    const part = choosePart(parts, args);
    return { part, request: part.request(args) };
  };
  const names = (args: Args) => correctNames(schema, args, words);
  return {
    listed,
    parts,
    renamed: (args) => names(args).renamed,
    call: (all) => {
      const args = withoutEmpty(schema, all) as Args;
      const { faults, corrected } = names(args);
      if (faults.length === 0) return call(args);
      throw refusalOf([...faults, ...faultsOf(() => call(corrected as Args))]);
    },
  };
}

/** Required where every part needs them. */
function argumentsOf(parts: readonly Part[], byUrl: string | undefined) {
  const known: Record<string, z.ZodType> = {};
  if (byUrl !== undefined) {
    known[byUrl] = z
      .string()
      .min(1)
      .optional()
      .describe('publish.url of the preview; left out, that of a message.');
  }
  for (const { operation, takes } of parts) {
    for (const [name, field] of Object.entries(takes)) {
      known[name] ??= described(operation, name, field);
    }
  }
  const place = placeOf(parts);
  if (place !== null) known.board = place;
  for (const [name, field] of Object.entries(known)) {
    const needed = parts.every((part) => part.needed.includes(name));
    if (!needed) known[name] = optional(field);
  }
  return known;
}

/** An optional text keeps its description. */
function optional(field: z.ZodType): z.ZodType {
  const { description } = field;
  const made = field.optional();
  return description === undefined ? made : made.describe(description);
}

/** The same in all tools, short: a list is read before anything else. */
const NOTES: Readonly<Record<string, string>> = {
  preview: 'Code points.',
  visibility: 'Topics hidden by ratings.',
  since: 'The cursor of the answer before.',
  wait: 'Seconds.',
  q: 'The text to look for.',
};
const PLAIN: ReadonlySet<string> = new Set([
  ...['limit', 'room', 'sort', 'state', 'id', 'message_id', 'poll_id'],
  ...['body', 'name', 'kind', 'reason'],
]);

function described(
  { tool }: Declared,
  argument: string,
  field: z.ZodType,
): z.ZodType {
  const [note] = Object.entries(tool.notes ?? {}).filter(
    ([input]) => (tool.called?.[input] ?? input) === argument,
  );
  const text = note?.[1] ?? NOTES[argument];
  if (text === undefined && !PLAIN.has(argument)) return field;
  return field.meta({ description: text });
}

/** `board`, for tools that read other boards; else null. */
function placeOf(parts: readonly Part[]): z.ZodType | null {
  const all = parts.some(({ operation }) => operation.tool.ofAllBoards);
  const one = parts.some(({ operation: { tool, query } }) =>
    tool.ofAllBoards
      ? Object.hasOwn(query, 'board')
      : Object.values(tool.called ?? {}).includes('board'),
  );
  const others = all ? ' or *' : '';
  if (one) {
    return z.string().min(1).describe(`A mirrored board${others}.`);
  }
  return all ? z.literal(ALL_BOARDS) : null;
}

export function faultsOf(call: () => unknown): readonly Fault[] {
  try {
    call();
    return [];
  } catch (error) {
    if (!(error instanceof BoardError)) throw error;
    const { code, detail, extras } = error;
    const { field, faults } = extras;
    const only = { error: code, detail };
    return faults ?? [field === undefined ? only : { ...only, field }];
  }
}

/** Sends only what the URL's endpoint takes. */
function callByUrl(parts: readonly Part[], byUrl: string, args: Args) {
  const { [byUrl]: url = parts[0]?.operation.path, ...rest } = args;
  const place = typeof url === 'string' ? partAt(parts, url) : null;
  if (place === null) {
    throw invalid(
      byUrl,
      `\`${byUrl}\` must be publish.url of a preview, unchanged.`,
    );
  }
  const { part, params } = place;
  const taken = Object.entries(rest).filter(([name]) =>
    Object.hasOwn(part.takes, name),
  );
  return { part, request: part.request(Object.fromEntries(taken), params) };
}
