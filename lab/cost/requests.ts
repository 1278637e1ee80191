import type { Declared } from '../../test/server/http/openapi/declared.js';
import {
  addressOf,
  type Furnished,
} from '../../test/server/http/openapi/furnished.js';
import type { Json } from '../../test/support/described.js';
import type { Asked } from './measure.js';

const TEXTS = [
  'zq',
  'a',
  '"\u200b'.repeat(40),
  '%_'.repeat(50),
  'e'.repeat(100),
];
const MOST_VARIANTS = 12;

type Field = { name: string; schema: Json };

function valuesOf({ name, schema }: Field): string[] {
  const listed = schema.enum as string[] | undefined;
  if (listed !== undefined) return listed.map(String);
  if (schema.type === 'boolean') return ['1'];
  if (name === 'wait' || name === 'since') return ['0'];
  if (name === 'before' || name === 'snapshot') return [];
  if (schema.type === 'integer') return [String(schema.maximum ?? 1)];
  return TEXTS;
}

/** Every number at its limit, with each value of each other parameter. */
export function worstReads(
  { path: template, operation }: Declared,
  has: Furnished,
  given: (template: string) => readonly string[],
): Asked[] {
  const addresses = [...given(template), addressOf(template, has)];
  const fields: Field[] = (operation?.parameters ?? []).flatMap((one) =>
    one.in === 'query' ? [{ name: one.name, schema: one.schema }] : [],
  );
  const numbers = fields.filter(({ schema }) => schema.type === 'integer');
  const most = new Map(
    numbers.flatMap((field) => {
      const [value] = valuesOf(field);
      const isSize = /^(?:limit|preview|most)$/.test(field.name);
      return isSize && value !== undefined ? [[field.name, value]] : [];
    }),
  );
  const others = fields.filter(({ name }) => !most.has(name));
  const variants = [
    new Map<string, string>(),
    new Map(most),
    ...others.flatMap((field) =>
      valuesOf(field).map((value) => new Map([...most, [field.name, value]])),
    ),
  ].slice(0, MOST_VARIANTS);
  return addresses.flatMap((address) =>
    variants.map((variant) => {
      const [path = '', query = ''] = address.split('?');
      const all = new URLSearchParams(query);
      for (const [name, value] of variant) all.set(name, value);
      const text = all.toString();
      return {
        method: 'GET',
        path: text === '' ? path : `${path}?${text}`,
        what: [...variant.keys()].join(', ') || 'plain',
        headers: { Accept: accepts(operation), 'Accept-Encoding': 'gzip' },
      };
    }),
  );
}

function accepts(operation: Declared['operation']): string {
  const html = operation?.responses[200]?.content?.['text/html'];
  return html === undefined ? 'application/json' : 'text/html';
}

const KB = 64_000;
const filled = (unit: string) => unit.repeat(Math.floor(KB / unit.length));
const members = (count: number, value: string) =>
  `{${[...Array(count).keys()].map((n) => `"f${n}":${value}`).join()}}`;
const nested = (depth: number, inner: string): string =>
  depth === 0 ? inner : members(2, nested(depth - 1, inner));

/** Bodies that are refused for their form, each worst in one way. */
export const WORST_BODIES: Readonly<Record<string, string>> = {
  'nothing at all': '{}',
  'members within the limit': members(64, '1'),
  'members over it': members(6000, '1'),
  'members of long names': `{${[...Array(64).keys()].map((n) => `"${n}${'x'.repeat(900)}":1`).join()}}`,
  'members near to known ones': `{${['bodi', 'titel', 'nmae', 'rom', 'repyl_to', 'tickte', 'anwser', 'confrim', 'optoin', 'noet'].flatMap((name) => [1, 2, 3, 4, 5, 6].map((n) => `"${name}${n}":1`)).join()}}`,
  'objects in objects': nested(7, members(4, '1')),
  'elements within the limit': members(30, `[${Array(256).fill('1').join()}]`),
  'elements of known fields': `{${['body', 'title', 'ticket', 'answer', 'note', 'poll', 'key_events', 'proof', 'envelope', 'relay_note'].map((name) => `"${name}":[${Array(256).fill('{}').join()}]`).join()}}`,
  'elements over it': `[${filled('0,')}0]`,
  'arrays in arrays': `[${Array(250)
    .fill(`[${Array(120).fill('1').join()}]`)
    .join()}]`,
  depth: filled('['),
  digits: `{"reply_to":1${filled('0')}}`,
  'digits that are no number': `{"reply_to":${filled('1')}.5e-9999}`,
  escapes: `{"body":"${filled('\\u200b')}"}`,
  'invisible characters': `{"body":"${'\u200b'.repeat(KB / 3)}"}`,
  'one long text': `{"body":"${filled('a')}","title":"${'b'.repeat(900)}"}`,
  references: `{"body":"${filled('#1 ')}","request_id":1}`,
  'a long ticket': `{"ticket":"${filled('a')}","answer":"1-a"}`,
  'a ticket of the most': `{"ticket":"${'a'.repeat(8192)}","answer":"1-a"}`,
  'a quoted ticket': `{"ticket":"\\"${'a'.repeat(8000)}\\"","answer":"1-a"}`,
  'a long note': `{"note":"${filled('a\\n')}"}`,
  'a long proof': `{"proof":{"keys":[${Array(250).fill('"a"').join()}],"checkpoint":"${'— a b\\n'.repeat(4000)}"}}`,
  'no JSON at its end': `{"body":"${filled('a')}"`,
  'a repeated name': `{"a":1,"a":2,"b":"${filled('a')}"}`,
};

export function refusedWrites(path: string): Asked[] {
  const headers = { Origin: 'http://board.test' };
  const bodies = Object.entries(WORST_BODIES).map(([what, body]) => ({
    ...{
      method: 'POST',
      path,
      what,
      body: what === 'nothing at all' ? '{}' : body,
    },
    headers,
  }));
  const query = [...Array(600).keys()].map((n) => `p${n}=${n}`).join('&');
  return [
    ...bodies,
    {
      method: 'GET',
      path: `${path}?${query}`,
      what: 'a GET of 600 parameters',
    },
    {
      method: 'POST',
      path: `${path}?${query}`,
      what: 'URL parameters',
      body: '{}',
    },
    { method: 'PUT', path, what: 'another method', body: '{}' },
  ];
}
