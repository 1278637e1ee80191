import { z } from 'zod';
import { parseBody } from '../http/body/validate.js';
import type { Operation } from '../http/openapi/operation.js';
import { canonical, valueSchema } from '../http/query.js';
import type { ToolPart } from '../http/tool-part.js';
import type { Request } from './dispatch.js';

/** In place of a board's name. */
export const ALL_BOARDS = '*';
const ALL_OR_OWN = `must be "*", this board and those it mirrors; for this one alone leave it out`;

export type Args = Readonly<Record<string, unknown>>;

export type Declared = Operation & { tool: ToolPart };

export type Part = {
  operation: Declared;
  takes: Readonly<Record<string, z.ZodType>>;
  needed: readonly string[];
  /**
   * `params` are those of the path.
   * @throws BoardError for unknown arguments
   */
  request(args: Args, params?: Args): Request;
};

/** @param byUrl the path is named by a URL, not by arguments */
export function partOf(operation: Declared, byUrl: boolean): Part {
  const { tool } = operation;
  const fields = {
    ...(byUrl ? {} : valuesOf(operation.params)),
    ...valuesOf(operation.query),
    ...fieldsOf(operation),
  };
  const takes: Record<string, z.ZodType> = Object.fromEntries(
    Object.entries(fields)
      .filter(([input]) => !tool.without?.includes(input))
      .map(([input, field]) => [argumentOf(tool, input), field]),
  );
  // Text is the default.
  const isText = takes.format !== undefined;
  if (isText) takes.format = z.literal('json').optional();
  if (tool.ofAllBoards) takes.board ??= z.literal(ALL_BOARDS, ALL_OR_OWN);
  const schema = z.strictObject(takes);
  return {
    operation,
    takes,
    needed: Object.keys(takes).filter(
      (name) => !takes[name]?.safeParse(undefined).success,
    ),
    request: (args, params) => {
      const { board, ...rest } = parseBody(schema, args);
      const all = tool.ofAllBoards && board === ALL_BOARDS;
      const format = isText ? { format: rest.format ?? 'text' } : {};
      const given = { ...(all ? {} : { board }), ...rest, ...format };
      return requestOf(operation, given, params);
    },
  };
}

/** As JSON values. */
function valuesOf(parameters: Operation['params']) {
  return Object.fromEntries(
    Object.entries(parameters).map(([input, field]) => {
      const { description } = field;
      const value = valueSchema(field);
      return [
        input,
        description === undefined ? value : value.describe(description),
      ];
    }),
  );
}

function fieldsOf({ body }: Operation): Record<string, z.ZodType> {
  return body?.schema instanceof z.ZodObject
    ? (body.schema.shape as Record<string, z.ZodType>)
    : {};
}

export function argumentOf(tool: ToolPart, input: string): string {
  return tool.called?.[input] ?? input;
}

function requestOf(operation: Declared, args: Args, params?: Args): Request {
  const { method, path, query, tool } = operation;
  const given = (input: string) => args[argumentOf(tool, input)];
  const inputs = (fields: object) =>
    Object.fromEntries(Object.keys(fields).map((one) => [one, given(one)]));
  const place = path.replace(/\{(\w+)\}/g, (_, input: string) =>
    encodeURIComponent(String(params?.[input] ?? given(input))),
  );
  if (method === 'post') {
    const body = inputs(fieldsOf(operation));
    return { method: 'POST', path: place, body };
  }
  const asked = canonical(inputs(query) as Parameters<typeof canonical>[0]);
  return { method: 'GET', path: `${place}${asked}` };
}
