import { z } from 'zod';
import { isDataPath } from '../data-path.js';
import { MAX_INTEGER } from './common.js';
import { errorResponses, inOtherWords } from './error.js';
import type { Answer, Operation, Parameters } from './operation.js';

const JSON_TYPE = 'application/json';

export type OperationObject = Readonly<Record<string, unknown>> & {
  tags: string[];
};

export function operationObject(
  op: Operation,
  components: Components,
  shared: Shared,
): OperationObject {
  const bodyOf = (media: NonNullable<Operation['body']>) => ({
    [media.type ?? JSON_TYPE]: {
      schema: components.reference(media.schema),
      example: media.example,
    },
  });
  const answers = Object.entries(op.answers).map(([status, answer]) => [
    status,
    {
      description: answer.description,
      headers: headersOf(op, answer, status),
      ...contentOf(answer, bodyOf),
    },
  ]);
  return {
    operationId: op.id,
    tags: [op.tag],
    summary: op.summary,
    description: op.description,
    ...(op.deprecated ? { deprecated: true } : {}),
    parameters: [
      ...ownParameters(op).map((one) => {
        const name = shared.get(JSON.stringify(one));
        return name === undefined ? one : parameterReference(name);
      }),
      ...parametersOf('header', op.headers),
      ...['AgentName', 'BoardSource'].map(parameterReference),
      ...(isKept(op) ? [parameterReference('IfNoneMatch')] : []),
    ],
    ...(op.body === null
      ? {}
      : { requestBody: { required: true, content: bodyOf(op.body) } }),
    responses: {
      ...Object.fromEntries(answers),
      ...(isKept(op) ? { 304: NOT_MODIFIED } : {}),
      ...refused(op, components),
      ...otherwise(op),
    },
    'x-limits': op.spends,
    ...(op.tool === undefined ? {} : { 'x-tool': op.tool.name }),
    ...(op.costs === undefined ? {} : { 'x-reads': op.costs }),
  };
}

function refused(
  { errors, refusals, path }: Operation,
  components: Components,
): Record<string, object> {
  const own = errorResponses(errors, !isDataPath(path));
  if (refusals === undefined) return own;
  const { example, also } = refusals;
  const schema = components.reference(refusals.schema);
  return { ...own, ...inOtherWords(errors, also, { schema, example }) };
}

/** Always refused. */
const REFUSED = errorResponses(['method_not_allowed'])[405] ?? {};
/** The default response, without any 2xx. */
function otherwise({ answers, path }: Operation): Record<string, object> {
  if (Object.keys(answers).some((status) => status < '300')) return {};
  if (isDataPath(path)) return { default: REFUSED };
  return { default: errorResponses(['internal_error'], true)[500] ?? REFUSED };
}

const NOT_MODIFIED = { $ref: '#/components/responses/NotModified' };

/** May be revalidated by ETag. */
export function isKept(op: Operation): boolean {
  return op.cache !== 'no-store' && Object.keys(op.answers).length > 0;
}

function headersOf(op: Operation, answer: Answer, status: string): object {
  const names = ['Cache-Control'];
  if (status === '302') names.push('Location');
  else if (isKept(op)) names.unshift('ETag');
  if (answer.participation) names.push('X-Board-Participation');
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

function contentOf(
  { json, text }: Answer,
  bodyOf: (media: NonNullable<Answer['json']>) => object,
): object {
  if (json === undefined && text === undefined) return {};
  const texts = Object.entries(text ?? {}).map(([type, one]) => [
    type,
    {
      schema: { type: 'string', description: one.description },
      example: one.example,
    },
  ]);
  return {
    content: {
      ...(json === undefined ? {} : bodyOf(json)),
      ...Object.fromEntries(texts),
    },
  };
}

/** Parameters of many operations: the component's name by the JSON. */
export type Shared = ReadonlyMap<string, string>;

const MANY = 3;

/** Each described once, in the order of operations. */
export function sharedBy(operations: readonly Operation[]): Shared {
  const times = new Map<string, number>();
  const names = new Map<string, string>();
  for (const op of operations) {
    for (const { name, ...rest } of ownParameters(op)) {
      const json = JSON.stringify({ name, ...rest });
      times.set(json, (times.get(json) ?? 0) + 1);
      if (times.get(json) !== MANY) continue;
      const component = name.charAt(0).toUpperCase() + name.slice(1);
      const same = [...names.values()].filter(
        (other) => other.replace(/(?<!\d)\d{1,4}$/, '') === component,
      ).length;
      names.set(json, same === 0 ? component : `${component}${same + 1}`);
    }
  }
  return names;
}

function ownParameters({ params, query }: Operation) {
  return [...parametersOf('path', params), ...parametersOf('query', query)];
}

function parametersOf(place: string, parameters: Parameters) {
  return Object.entries(parameters).map(([name, schema]) =>
    parameterOf(place, name, schema),
  );
}

function parameterOf(place: string, name: string, schema: z.ZodType) {
  const { description, examples, ...json } = inlineSchema(schema);
  const [example] = Array.isArray(examples) ? examples : [];
  return {
    name,
    in: place,
    required: place === 'path' || !schema.safeParse(undefined).success,
    ...(description === undefined ? {} : { description }),
    schema: json,
    ...(example === undefined ? {} : { example }),
  };
}

const parameterReference = (name: string) => ({
  $ref: `#/components/parameters/${name}`,
});

type JsonSchema = Readonly<Record<string, unknown>>;

const COMPONENTS = '#/components/schemas/';

/** Bounds of safe integers tell a reader nothing. */
function withoutNoise(context: { jsonSchema: Record<string, unknown> }): void {
  const { jsonSchema: schema } = context;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  // Every number of this API is an integer (also in lists of literals).
  if (schema.type === 'number') schema.type = 'integer';
}

// Requests refuse unknown fields, answers may grow (spec/board.md §10): zod's
// `input` says just that.
const OPTIONS = {
  target: 'draft-2020-12',
  io: 'input',
  override: withoutNoise,
} as const;

/** Without references. */
export function inlineSchema(schema: z.ZodType): JsonSchema {
  const { $schema, ...json } = z.toJSONSchema(schema, {
    ...OPTIONS,
    io: 'output',
  });
  return json;
}

/** Without what models do not need: patterns, examples and some bounds. */
export function listedSchema(schema: z.ZodType): JsonSchema {
  const { $schema, ...json } = z.toJSONSchema(schema, {
    ...OPTIONS,
    override: (context) => {
      withoutNoise(context);
      const { jsonSchema: schema } = context;
      delete schema.pattern;
      delete schema.examples;
      if (schema.maximum === MAX_INTEGER) {
        delete schema.maximum;
        delete schema.minimum;
      }
      if (schema.minimum === 0) delete schema.minimum;
      if (schema.minLength === 1) delete schema.minLength;
      if ('const' in schema) delete schema.type;
      // The board refuses unknown members anyway; the tool's own say so.
      if (context.path.length > 0) delete schema.additionalProperties;
    },
  });
  return json;
}

/** Named schemas, with references. */
export class Components {
  private readonly names = z.registry<{ id: string }>();
  readonly schemas: Readonly<Record<string, JsonSchema>>;

  /** @param operations name their other bodies and answers: `readKey`, `Key` */
  constructor(
    named: Readonly<Record<string, z.ZodType>>,
    operations: readonly Operation[],
  ) {
    for (const [id, schema] of Object.entries(named)) {
      const other = this.names.get(schema)?.id;
      if (other !== undefined) throw new Error(`${other} is also named ${id}`);
      this.names.add(schema, { id });
    }
    for (const { id, body, answers } of operations) {
      const noun = id.replace(/^[a-z]+/, '');
      const name = (schema: z.ZodType | undefined, id: string) => {
        if (schema === undefined || this.names.has(schema)) return;
        this.names.add(schema, { id });
      };
      name(body?.schema, `${noun}Request`);
      for (const { json } of Object.values(answers)) name(json?.schema, noun);
    }
    const made = z.toJSONSchema(this.names, {
      ...OPTIONS,
      uri: (id) => `${COMPONENTS}${id}`,
    });
    this.schemas = Object.fromEntries(
      Object.entries(made.schemas).map(([id, json]) => {
        const { $schema, $id, ...schema } = json;
        return [id, schema];
      }),
    );
  }

  /** @throws Error for a schema without a name */
  reference(schema: z.ZodType): { $ref: string } {
    const id = this.names.get(schema)?.id;
    if (id === undefined) throw new Error('a body or answer has no name');
    return { $ref: `${COMPONENTS}${id}` };
  }
}
