import fc from 'fast-check';
import { z } from 'zod';
import { BoardError } from '../../../server/errors.js';
import { plainUuid } from '../../../server/http/body/guess.js';
import {
  canonical,
  flag,
  integer,
  oneOf,
  parseQuery,
  pathGuid,
  pathId,
  pathInteger,
  text as words,
} from '../../../server/http/query.js';

function read<F extends z.ZodType>(
  query: string,
  name: string,
  field: F,
): z.output<F> {
  const url = query === '' ? '/api/x' : `/api/x?${query}`;
  const found = parseQuery(z.object({ [name]: field }), url);
  return found[name] as z.output<F>;
}

function refusal(work: () => unknown): string {
  try {
    return `no refusal: ${String(work())}`;
  } catch (error) {
    if (!(error instanceof BoardError)) throw error;
    return `${error.code} ${error.extras.field}`;
  }
}

const limit = integer({ min: 1, max: 100 }).default(20);
const since = integer();
const sort = oneOf(['new', 'active']);
const FIELDS: Record<string, z.ZodType> = {
  ...{ limit, since, sort, n: integer(), full: flag(), q: words() },
};

/** The first parameter of each is the one that is read. */
const TAKEN: [query: string, value: unknown][] = [
  ...['1', '20', '100'].map((text): [string, number] => [
    `limit=${text}`,
    +text,
  ]),
  [`since=${'9'.repeat(15)}`, 10 ** 15 - 1],
  ['full=1', '1'],
  ['sort=active', 'active'],
  // Unknown parameters, however broken.
  ['q=ok&%ff=%ff&x=1&x=2&__proto__=3', 'ok'],
];

const REFUSED: [query: string, code: string][] = [
  ...[
    ...['', '0', '101', '01', '+1', '%2B1', '-1', '1.0', '1e1', '0x1', ' 1'],
    ...['1 ', '%201', '１', '1%00', 'abc', '1,2', 'Infinity', '9'.repeat(16)],
  ].map((text): [string, string] => [`limit=${text}`, 'invalid_input']),
  ...['q=a&q=a', 'q=a&%71=b', 'q&q', 'q=1&x=2&q='].map(
    (query): [string, string] => [query, 'invalid_input'],
  ),
  ...['', '0', 'true', '01', '%00', '%ff', '1%00', '%c2%b2'].map(
    (text): [string, string] => [`full=${text}`, 'invalid_input'],
  ),
  ...['%00', '%ff', '1%00', '%c2%b2'].map((text): [string, string] => [
    `n=${text}`,
    'invalid_input',
  ]),
  ...['', 'New', 'old', 'new%20', 'toString', '%00', '%ff'].map(
    (text): [string, string] => [`sort=${text}`, 'invalid_input'],
  ),
  ...[
    ...['%ff', '%c0%80', '%ed%a0%80', '%ed%b0%80', 'a%00b', '%e2%82'],
    ...['%f4%90%80%80', '\u00ff'],
  ].map((text): [string, string] => [`q=${text}`, 'invalid_unicode']),
];

describe('the fields of a query', () => {
  const field = (query: string) => {
    const [name = ''] = query.split(/[=&]/);
    return [name, FIELDS[name] ?? z.never()] as const;
  };

  for (const [query, value] of TAKEN) {
    it(`takes ${query}`, () => {
      expect(read(query, ...field(query))).to.equal(value);
    });
  }

  for (const [query, code] of REFUSED) {
    it(`refuses ${query} as ${code}`, () => {
      const [name] = field(query);
      const got = refusal(() => read(query, ...field(query)));
      expect(got).to.equal(`${code} ${name}`);
    });
  }

  it('says the range it wants', () => {
    expect(() => read('limit=101', 'limit', limit)).to.throw(
      '`limit` must be an integer from 1 to 100',
    );
  });

  it('gives the default when the parameter is absent', () => {
    expect(read('', 'limit', limit)).to.equal(20);
    for (const field of [since, words(), flag(), sort]) {
      expect(read('', 'any', field.optional())).to.equal(undefined);
    }
  });

  it('reads what URLSearchParams reads', () => {
    const piece = fc.constantFrom(
      ...['q', '=', '&', '+', '%', '%2', '%41', '%C3%A9', '%zz', 'a', '?', ';'],
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const query = pieces.join('');
        const url = new URL(`http://a.test/?${query}`);
        const want = url.searchParams.getAll('q');
        fc.pre(want.length < 2 && !want.join('').includes('\ufffd'));
        const q = query.includes('q')
          ? read(query, 'q', words().optional())
          : undefined;
        expect(q).to.equal(want[0]);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('canonical', () => {
  it('keeps the order and leaves out what is absent', () => {
    const link = canonical({ since: 0, full: true, x: false, room: undefined });
    expect(link).to.equal('?since=0&full=1');
    expect(canonical({ a: null })).to.equal('');
  });

  it('is read back as it was', () => {
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(text, (q) => {
        fc.pre(!q.includes('\0'));
        const query = canonical({ q }).slice(1);
        expect(read(query, 'q', words())).to.equal(q);
      }),
    );
  });
});

describe('path IDs', () => {
  it('are integers of plain digits', () => {
    expect(pathInteger('0')).to.equal(0);
    expect(pathInteger('42')).to.equal(42);
    expect(pathId.parse('42')).to.equal(42);
    for (const text of ['', '01', '1e3', '-1', '1.0', ' 1', '1\n', 'x']) {
      expect(pathInteger(text), text).to.equal(null);
      expect(pathId.safeParse(text).success, text).to.equal(false);
    }
    expect(pathInteger('9'.repeat(16))).to.equal(null);
    expect(pathInteger(undefined)).to.equal(null);
    expect(pathInteger(['1'])).to.equal(null);
  });

  it('are UUIDs of any version, lower-cased', () => {
    const text = 'ABCDEF01-1111-0000-FFFF-111111111111';
    expect(pathGuid.parse(text)).to.equal(text.toLowerCase());
    for (const bad of ['', text.slice(1), `${text}0`, `{${text}0}`]) {
      expect(plainUuid(bad), bad).to.equal(null);
      expect(pathGuid.safeParse(bad).success, bad).to.equal(false);
    }
    const bare = text.replaceAll('-', '');
    for (const other of [text, `{${text}}`, `urn:uuid:${text}`, bare]) {
      expect(plainUuid(other), other).to.equal(text.toLowerCase());
    }
  });
});
