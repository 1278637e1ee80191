import fc from 'fast-check';
import { type Family, isRefused, Raw, requestOf } from './parts.js';

const TEXTS: readonly (string | Raw)[] = [
  ...['x', '-1', '01', '1.0', '1e3', '1000000000000000', '#', '?', '..'],
  ...['__proto__', 'constructor', 'x'.repeat(3000), '\u202e', '\0'],
  ...['%F0%9F', '%2F', '%zz', '%', '%ED%A0%80', '%C0%AF', ';', '.'],
].map((text) => (/^[%.;]/.test(text) ? new Raw(text) : text));

/** Other spellings of an address: each is another address (spec/board.md §1.8). */
const SPELLINGS: readonly ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => `/${path}`,
  (path) => `/.${path}`,
  (path) => `${path}/x`,
  (path) => `${path}%00`,
  (path) => `${path};x=1`,
  (path) => path.toUpperCase(),
  (path) => `/x/..${path}`,
  (path) => `${path}/%2e%2e`,
];

/** Parameters of a path that name nothing, and addresses beside the right one. */
export const addressFaults: Family = (source, described, valid) => {
  const named = source.parameters(described, 'path').map(({ name }) =>
    fc.tuple(valid, fc.constantFrom(...TEXTS)).map(([parts, text]) => {
      const path = { ...parts.path, [name]: text };
      const kind = `${name} is ${text instanceof Raw ? text.text : text}`;
      // What is no ID of its kind is a 404 of its resource: no field is named.
      return requestOf(described, { ...parts, path }, kind, null);
    }),
  );
  const spelled = fc
    .tuple(valid, fc.constantFrom(...SPELLINGS))
    .map(([parts, spell]) => {
      const it = requestOf(described, parts, 'another address', null);
      const [path = '', ...query] = it.path.split('?');
      return { ...it, path: [spell(path), ...query].join('?') };
    });
  // A byte that no request line may have (RFC 9112, 3).
  const unreadable = valid.map((parts) => {
    const refusal = { codes: ['invalid_input'] } as const;
    const it = requestOf(described, parts, 'a byte in the address', refusal);
    return { ...it, path: `${it.path}?\u00ff` };
  });
  return [...named, spelled, unreadable];
};

const METHODS = ['PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'LOCK'];

/** Methods that a path does not take, and the two that follow from a GET. */
export const methodFaults: Family = (_source, described, valid) => {
  const { method } = described;
  const refused = (other: string) =>
    valid.map((parts) => {
      const refusal = { codes: ['method_not_allowed'] } as const;
      const bare = { ...parts, query: [], body: null };
      const it = requestOf(described, bare, 'a wrong method', refusal);
      return { ...it, method: other };
    });
  const follows = (other: string) =>
    valid.map((parts) => {
      const query = other === 'HEAD' ? parts.query : [];
      const bare = { ...parts, query, body: null };
      return { ...requestOf(described, bare, other, null), method: other };
    });
  const wrong = METHODS.map(refused);
  if (isRefused(described)) return [...wrong, follows('OPTIONS')];
  return method === 'get'
    ? [...wrong, refused('POST'), follows('HEAD'), follows('OPTIONS')]
    : [...wrong, refused('GET'), refused('HEAD'), follows('OPTIONS')];
};
