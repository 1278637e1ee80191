export type Sent = {
  method: string;
  path: string;
  type?: string;
  /** An object is sent as JSON. */
  body?: unknown;
};

type Fault = { error: string; field?: string; detail: string };
type Refusal = Fault & {
  faults?: Fault[];
  see?: string;
  suggested_action?: {
    method: string;
    url: string;
    json_template?: Record<string, unknown>;
    instruction?: string;
  };
};
type Fields = Record<string, unknown>;

const JSON_TYPE = 'application/json';
const PLACEHOLDER = /^[A-Z0-9_-]+$/;
const WORDS = ['spam', 'lobby', 'new', 'a'];

/** After one refusal; `wants`: what was meant, by this board's names. */
export function nextTry(sent: Sent, refusal: Refusal, wants: Fields): Sent {
  const { suggested_action: action, see, faults } = refusal;
  if (action !== undefined) {
    const path = pathOf(action.url);
    if (action.json_template === undefined) return { ...sent, path };
    let body: unknown = filledIn(action.json_template, wants);
    if (action.instruction?.startsWith('Correct what faults name')) {
      for (const fault of faults ?? []) body = repaired(body, fault, wants);
    }
    return { method: action.method, path, type: JSON_TYPE, body };
  }
  if (faults === undefined) {
    if (see !== undefined) return { ...sent, path: pathOf(see) };
    return { ...sent, body: repaired(sent.body as Fields, refusal, wants) };
  }
  if (sent.method === 'GET') {
    const url = new URL(sent.path, 'http://board.test');
    for (const fault of faults) {
      const { field = '', detail } = fault;
      const other = /send the value of `(\w+)` as/.exec(detail)?.[1];
      const value = other && url.searchParams.get(other);
      url.searchParams.set(field, value ?? queryValue(fault, wants[field]));
    }
    return { ...sent, path: `${url.pathname}${url.search}` };
  }
  let body = sent.body;
  for (const fault of faults) body = repaired(body, fault, wants);
  return { ...sent, body };
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

/** Placeholders are replaced by what is meant, and what is not is left. */
function filledIn(template: Fields, wants: Fields): Fields {
  const filled = Object.entries(template).flatMap(([name, value]) => {
    const isOpen = typeof value === 'string' && PLACEHOLDER.test(value);
    if (!isOpen) return [[name, value]];
    return name in wants ? [[name, wants[name]]] : [];
  });
  return Object.fromEntries(filled);
}

function queryValue({ detail }: Fault, wanted: unknown): string {
  const range = /from (\d+) to (\d+)/.exec(detail);
  if (range !== null) return range[2] ?? '';
  const listed = /one of: ([^.]+)\./.exec(detail)?.[1]?.split(', ') ?? [];
  return listed.find((one) => WORDS.includes(one)) ?? String(wanted);
}

/** The body without one fault, by the fault's sentence alone. */
function repaired(body: unknown, fault: Fault, wants: Fields): unknown {
  const { field, detail } = fault;
  if (field === undefined) {
    const set = /Set (\w+) to "([^"]+)"/.exec(detail);
    if (set !== null) return { ...(body as Fields), [set[1] ?? '']: set[2] };
    if (/send the bare ticket/.test(detail)) {
      const { ticket, ...rest } = body as Fields;
      return { ...rest, ticket: String(ticket).replaceAll('"', '') };
    }
    if (/string that contains one/.test(detail))
      return JSON.parse(body as string);
    if (/must be a JSON object/.test(detail)) return { ...wants };
    return body;
  }
  if (/without spaces/.test(detail)) {
    const { answer } = body as Fields;
    return { ...(body as Fields), answer: String(answer).replaceAll(' ', '') };
  }
  const [first = '', second] = field.split('.');
  const given = body as Fields;
  if (second !== undefined) {
    const inner = repaired(given[first], { ...fault, field: second }, wants);
    return { ...given, [first]: inner };
  }
  const { [first]: value, ...rest } = given;
  const renamed = /send its value as `(?:\w+\.)?(\w+)`/.exec(detail)?.[1];
  if (renamed !== undefined) return { ...rest, [renamed]: value };
  if (/leave (?:it|\w+) out/.test(detail)) return rest;
  const unquoted = /send (-?\d+) without quotes/.exec(detail)?.[1];
  if (unquoted !== undefined) return { ...rest, [first]: Number(unquoted) };
  const quoted = /(?:send|to|must be) "([^"]+)"/.exec(detail)?.[1];
  if (quoted !== undefined) return { ...rest, [first]: quoted };
  const most = Number(/at most (\d+) code points/.exec(detail)?.[1] ?? 0);
  if (most > 0) return { ...rest, [first]: String(value).slice(0, most) };
  const [listed] =
    /"[^"]+"/.exec(/must be one of (.*)/.exec(detail)?.[1] ?? '') ?? [];
  if (listed !== undefined) return { ...rest, [first]: JSON.parse(listed) };
  if (first in wants) return { ...rest, [first]: wants[first] };
  return rest;
}
