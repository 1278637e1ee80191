const INTEGER = /^(?:0|[1-9][0-9]{0,14})$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const PERCENT = 0x25;
const HEX2 = /^[0-9a-f]{2}$/i;

/** Percent-decodes; a `%` without two hex digits stands for itself. */
export function decodedBytes(encoded: string): Buffer {
  // Node hands the request line over as latin1: one character is one byte.
  const raw = Buffer.from(encoded.replaceAll('+', ' '), 'latin1');
  let length = 0;
  for (let i = 0; i < raw.length; i += 1) {
    let byte = raw[i] ?? 0;
    if (byte === PERCENT) {
      const digits = raw.toString('latin1', i + 1, i + 3);
      if (HEX2.test(digits)) {
        byte = Number.parseInt(digits, 16);
        i += 2;
      }
    }
    raw[length] = byte;
    length += 1;
  }
  return raw.subarray(0, length);
}

/** The pairs of a raw query string, values still encoded (WHATWG URL 5.1). */
function pairsOf(url: string): Map<string, string[]> {
  const pairs = new Map<string, string[]>();
  const start = url.indexOf('?');
  if (start < 0) return pairs;
  for (const pair of url.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const cut = pair.indexOf('=');
    const name = decodedBytes(cut < 0 ? pair : pair.slice(0, cut)).toString(
      'utf8',
    );
    const value = cut < 0 ? '' : pair.slice(cut + 1);
    const values = pairs.get(name);
    if (values === undefined) pairs.set(name, [value]);
    else values.push(value);
  }
  return pairs;
}

/** The values of each name of a query, still encoded. */
export function rawQuery(url: string): Record<string, string[]> {
  return Object.assign(Object.create(null), Object.fromEntries(pairsOf(url)));
}

/** Every parameter, first values only, undecodable bytes replaced. */
export function queryEntries(url: string): [string, string][] {
  return [...pairsOf(url)].map(([name, values]) => [
    name,
    decodedBytes(values[0] ?? '').toString('utf8'),
  ]);
}

type QueryValue = string | number | boolean | null | undefined;

/**
 * `?a=1&b=2` in the order given, for `next` links; absent values and `false`
 * are left out, `true` is 1, and nothing at all is the empty string.
 */
export function canonical(
  params: Readonly<Record<string, QueryValue>>,
): string {
  const pairs = Object.entries(params).flatMap(([name, value]) => {
    if (value === undefined || value === null || value === false) return [];
    const text = value === true ? '1' : String(value);
    return [`${encodeURIComponent(name)}=${encodeURIComponent(text)}`];
  });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** What Express 5 types a path parameter as. */
type PathPart = string | readonly string[] | undefined;

/** A path ID; `null` is the 404 of its resource. */
export function pathInteger(text: PathPart): number | null {
  return typeof text === 'string' && INTEGER.test(text) ? Number(text) : null;
}

/** A path UUID of any version, lower-cased; `null` is a 404. */
export function pathUuid(text: PathPart): string | null {
  return typeof text === 'string' && UUID.test(text)
    ? text.toLowerCase()
    : null;
}
