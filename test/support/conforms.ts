import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import {
  type Json,
  type OpenApi,
  type OperationObject,
  operationsOf,
  type ResponseObject,
  resolved,
} from './described.js';

export type Exchange = {
  method: string;
  /** With its query. */
  path: string;
  status: number;
  headers: { [name: string]: string | undefined };
  text: string;
};

type Template = {
  path: string;
  pattern: RegExp;
  methods: { [method: string]: OperationObject };
};

const DOCUMENT = 'openapi.json';
const DATA_PATH = /^\/(?:api|write|log|mirror)(?:[/?]|$)/;
const HEADER_UNLESS: { [name: string]: (it: Exchange) => boolean } = {
  // Only text carries it, where one answer may be JSON or text.
  'X-Board-Participation': (it) => typeOf(it) === 'application/json',
  // Of the codes of 503 only `unavailable` says when to come again.
  'Retry-After': (it) => !it.text.includes('"retry_after_seconds"'),
};

/** Status, media type, headers, and exactly the members described. */
export class Description {
  private readonly ajv: Ajv2020;
  private readonly templates: Template[];
  private readonly checks = new Map<string, ValidateFunction>();

  constructor(readonly document: OpenApi) {
    this.ajv = new Ajv2020({ strict: false, validateSchema: false });
    formats.default(this.ajv);
    this.ajv.addSchema(closed(document) as object, DOCUMENT);
    this.templates = Object.entries(document.paths)
      .map(([path, methods]) => ({ path, methods, pattern: patternOf(path) }))
      .sort((a, b) => parametersIn(a.path) - parametersIn(b.path));
  }

  at(method: string, path: string): { path: string; method: string } | null {
    const found = this.template(path);
    const name = method.toLowerCase();
    if (found?.methods[name] === undefined) return null;
    return { path: found.path, method: name };
  }

  problems(it: Exchange): string[] {
    if (it.method === 'HEAD') return this.headProblems(it);
    const met = this.at(it.method, it.path);
    if (met === null) return this.undescribed(it);
    const { path, method } = met;
    const operation = this.document.paths[path]?.[method];
    const response = operation?.responses[it.status];
    if (response === undefined) return [`status ${it.status} is not described`];
    const pointer =
      response.$ref ??
      `#/paths/${escaped(path)}/${method}/responses/${it.status}`;
    const whole = resolved(this.document, response);
    return [...this.bodyProblems(it, whole, pointer), ...headers(it, whole)];
  }

  /** As the GET, with its headers and without its body (spec/board.md §1.7). */
  private headProblems(it: Exchange): string[] {
    if (it.text !== '') return ['a HEAD with a body'];
    const met = this.at('GET', it.path);
    if (met === null) return []; // the GET itself is refused
    const operation = this.document.paths[met.path]?.get;
    const response = operation?.responses[it.status];
    if (response === undefined) return [`status ${it.status} is not described`];
    return it.status < 400
      ? headers(it, resolved(this.document, response))
      : [];
  }

  private template(path: string): Template | undefined {
    const plain = textPath(path).replace(/\?.*$/s, '');
    return this.templates.find(({ pattern }) => pattern.test(plain));
  }

  /** Other methods are 405, other paths of programs 404, with an Error. */
  private undescribed(it: Exchange): string[] {
    const known = this.template(it.path) !== undefined;
    if (it.method === 'OPTIONS') {
      return it.status === (known ? 204 : 404) ? [] : [`OPTIONS: ${it.status}`];
    }
    if (!known && !DATA_PATH.test(it.path)) return []; // a page or a document
    const expected = known ? 405 : 404;
    // A limit, and a head that is too long, come before what is there.
    if (![expected, 429, 431].includes(it.status)) {
      return [`${it.method} is not described, but ${it.status}`];
    }
    const form = /^\/mcp(?:\?|$)/.test(it.path) ? 'McpAnswer' : 'Error';
    return this.jsonProblems(it.text, `#/components/schemas/${form}`);
  }

  private bodyProblems(
    it: Exchange,
    { content }: ResponseObject,
    pointer: string,
  ): string[] {
    if (content === undefined) {
      return it.text === '' ? [] : ['a body that is not described'];
    }
    const type = typeOf(it);
    const media = content[type];
    if (media === undefined) return [`media type ${type} is not described`];
    if (!/[/+]json$/.test(type)) return [];
    const schema = `${pointer}/content/${escaped(type)}/schema`;
    return this.jsonProblems(it.text, schema);
  }

  private jsonProblems(text: string, pointer: string): string[] {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return ['the body is not JSON'];
    }
    const check = this.check(pointer);
    if (check(value)) return [];
    return (check.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
    );
  }

  private check(pointer: string): ValidateFunction {
    const known = this.checks.get(pointer);
    if (known !== undefined) return known;
    const made = this.ajv.compile({ $ref: `${DOCUMENT}${pointer}` });
    this.checks.set(pointer, made);
    return made;
  }
}

/** A thread's text is described at an address of its own. */
function textPath(path: string): string {
  const isText = /[?&]format=text(?:&|$)/.test(path);
  return isText ? path.replace(/^(\/api\/thread\/[^/?]+)\?/, '$1/text?') : path;
}

let newest: { text: string; description: Description } | null = null;

/** The same object for the same text: its checks are dear to compile. */
export function descriptionOf(text: string): Description {
  if (newest?.text !== text) {
    const document = JSON.parse(text) as OpenApi;
    newest = { text, description: new Description(document) };
  }
  return newest.description;
}

/** Operations and statuses as `GET /path 200`, for counting what was met. */
export function answersOf(document: OpenApi): string[] {
  return operationsOf(document).flatMap(({ method, path, operation }) =>
    Object.keys(operation.responses)
      .filter((status) => status !== 'default')
      .map((status) => `${method.toUpperCase()} ${path} ${status}`),
  );
}

function headers(it: Exchange, response: ResponseObject): string[] {
  const missing = Object.keys(response.headers ?? {})
    .filter((name) => !HEADER_UNLESS[name]?.(it))
    .filter((name) => it.headers[name.toLowerCase()] === undefined)
    .map((name) => `the header ${name} is missing`);
  const told = /"retry_after_seconds":(\d+)/.exec(it.text)?.[1];
  // A page says it in a sentence.
  const isPage = typeOf(it) === 'text/html';
  if (it.status < 400 || isPage || told === it.headers['retry-after']) {
    return missing;
  }
  return [...missing, 'Retry-After is not retry_after_seconds'];
}

function typeOf(it: Exchange): string {
  return (it.headers['content-type'] ?? '').replace(/;.*$/s, '');
}

/** Every object takes what it names and nothing else. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const node = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, closed(inner)]),
  ) as Json;
  const open = node.type === 'object' && node.properties !== undefined;
  if (open) node.additionalProperties ??= false;
  return node;
}

function patternOf(path: string): RegExp {
  const literal = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replace(/\{\w+\}/g, '[^/]+')}$`);
}

function parametersIn(path: string): number {
  return path.split('{').length - 1;
}

function escaped(key: string): string {
  return encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
}
