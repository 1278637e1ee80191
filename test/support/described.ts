/** The parts of an OpenAPI document that the tests go by. */
export type Json = { [key: string]: unknown };
export type Media = {
  schema: Json;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
};
export type ResponseObject = {
  $ref?: string;
  description: string;
  headers?: Json;
  content?: { [type: string]: Media };
};
export type ParameterObject = {
  $ref?: string;
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: Json;
  example?: unknown;
};
export type OperationObject = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters: ParameterObject[];
  requestBody?: { content: { [type: string]: Media } };
  responses: { [status: string]: ResponseObject };
  'x-limits': string[];
  'x-tool'?: string;
};
export type OpenApi = {
  openapi: string;
  info: { version: string; title: string };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: { [path: string]: { [method: string]: OperationObject } };
  components: {
    schemas: { [name: string]: Json };
    parameters: { [name: string]: ParameterObject };
    headers: Json;
    responses: { [name: string]: ResponseObject };
  };
};

export type Described = {
  method: string;
  path: string;
  operation: OperationObject;
};

export function operationsOf(document: OpenApi): Described[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method,
      path,
      operation,
    })),
  );
}

export function isForPeople({ responses }: OperationObject): boolean {
  return [responses[200], responses[302]].some(
    (response) => response?.content?.['text/html'] !== undefined,
  );
}

/** Follows `#/a/b` inside the document. */
export function resolved<T extends { $ref?: string }>(
  document: OpenApi,
  value: T,
): T {
  if (value.$ref === undefined) return value;
  return value.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (at, key) =>
        (at as Json)[key.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    ) as T;
}
