import { z } from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

const COMPONENTS = '#/components/schemas/';

/** Bounds that only say "a safe integer" tell a reader nothing. */
function withoutNoise(context: { jsonSchema: Record<string, unknown> }): void {
  const { jsonSchema: schema } = context;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  // Every number of this API is an integer (also in lists of literals).
  if (schema.type === 'number') schema.type = 'integer';
}

// A request keeps unknown fields out, an answer may grow (spec/board.md §10),
// and as input that is just what the two kinds of zod objects say.
const OPTIONS = {
  target: 'draft-2020-12',
  io: 'input',
  override: withoutNoise,
} as const;

/** The schema of the value of one parameter, whole. */
export function inlineSchema(schema: z.ZodType): JsonSchema {
  const { $schema, ...json } = z.toJSONSchema(schema, {
    ...OPTIONS,
    io: 'output',
  });
  return json;
}

/** Named schemas as components that refer to each other. */
export class Components {
  private readonly names = z.registry<{ id: string }>();
  readonly schemas: Readonly<Record<string, JsonSchema>>;

  constructor(named: Readonly<Record<string, z.ZodType>>) {
    for (const [id, schema] of Object.entries(named)) {
      const other = this.names.get(schema)?.id;
      if (other !== undefined) throw new Error(`${other} is also named ${id}`);
      this.names.add(schema, { id });
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

  /** @throws Error when the schema was given no name. */
  reference(schema: z.ZodType): { $ref: string } {
    const id = this.names.get(schema)?.id;
    if (id === undefined) throw new Error('a body or answer has no name');
    return { $ref: `${COMPONENTS}${id}` };
  }
}
