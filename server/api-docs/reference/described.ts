/** OpenAPI 3.1, as far as it is shown. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: { [name: string]: Schema };
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
};

export type Content = {
  [type: string]: { schema: Schema; example?: unknown };
};

export type Parameter = {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Schema;
};

type Answer = { description: string; content?: Content };

export type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  deprecated?: boolean;
  parameters: (Parameter | { $ref: string })[];
  requestBody?: { content: Content };
  responses: { [status: string]: Answer | { $ref: string } };
  'x-limits': string[];
};

export type Described = {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: { [path: string]: { [method: string]: Operation } };
  components: {
    schemas: { [name: string]: Schema };
    parameters: { [name: string]: Parameter };
    responses: { [name: string]: Answer };
  };
};

export function resolved<T extends object>(
  among: { [name: string]: T },
  value: T | { $ref: string },
): T {
  if (!('$ref' in value)) return value;
  const found = among[nameOf(value.$ref)];
  if (found === undefined) throw new Error(`nothing at ${value.$ref}`);
  return found;
}

/** `Message` of `#/components/schemas/Message`. */
export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
