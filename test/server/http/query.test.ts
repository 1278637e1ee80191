import { expect } from 'chai';
import fc from 'fast-check';
import { z } from 'zod';
import { BoardError } from '../../../server/errors.js';
import { pathGuid, pathId } from '../../../server/http/path-fields.js';
import {
  canonical,
  pathInteger,
  pathUuid,
} from '../../../server/http/query.js';
import {
  flag,
  integer,
  oneOf,
  parseQuery,
  text as words,
} from '../../../server/http/query-fields.js';

/** The value of one field of a query. */
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

describe('the fields of a query', () => {
  for (const text of ['1', '20', '100']) {
    it(`takes limit=${text}`, () => {
      expect(read(`limit=${text}`, 'limit', limit)).to.equal(+text);
    });
  }

  for (const text of [
    ...['', '0', '101', '01', '+1', '%2B1', '-1', '1.0', '1e1', '0x1', ' 1'],
    ...['1 ', '%201', '１', '1%00', 'abc', '1,2', 'Infinity', '9'.repeat(16)],
  ]) {
    it(`refuses limit=${text}`, () => {
      const got = refusal(() => read(`limit=${text}`, 'limit', limit));
      expect(got).to.match(/^invalid_(?:input|unicode) limit$/);
    });
  }

  it('says the range it wants', () => {
    expect(() => read('limit=101', 'limit', limit)).to.throw(
      '`limit` must be an integer from 1 to 100',
    );
  });

  it('gives the default when the parameter is absent', () => {
    expect(read('', 'limit', limit)).to.equal(20);
    for (const field of [integer(), words(), flag(), oneOf(['new'])]) {
      expect(read('', 'any', field.optional())).to.equal(undefined);
    }
  });

  it('takes 15 digits', () => {
    const since = read(`since=${'9'.repeat(15)}`, 'since', integer());
    expect(since).to.equal(10 ** 15 - 1);
  });

  it('refuses a known parameter given twice, also spelled by escapes', () => {
    for (const query of ['q=a&q=a', 'q=a&%71=b', 'q&q', 'q=1&x=2&q=']) {
      expect(refusal(() => read(query, 'q', words()))).to.equal(
        'invalid_input q',
      );
    }
  });

  it('ignores unknown parameters, however broken', () => {
    const query = '%ff=%ff&x=1&x=2&__proto__=3&q=ok';
    expect(read(query, 'q', words())).to.equal('ok');
  });

  it('takes only 1 for a flag', () => {
    expect(read('full=1', 'full', flag())).to.equal('1');
    for (const text of ['', '0', 'true', '01']) {
      const got = refusal(() => read(`full=${text}`, 'full', flag()));
      expect(got).to.equal('invalid_input full');
    }
  });

  it('takes only the listed values, exactly', () => {
    const sort = oneOf(['new', 'active']);
    expect(read('sort=active', 'sort', sort)).to.equal('active');
    for (const text of ['', 'New', 'old', 'new%20', 'toString', '%00', '%ff']) {
      const got = refusal(() => read(`sort=${text}`, 'sort', sort));
      expect(got).to.equal('invalid_input sort');
    }
  });

  for (const text of ['%00', '%ff', '1%00', '%c2%b2']) {
    it(`refuses n=${text} as no integer, and no 1`, () => {
      for (const field of [integer(), flag()]) {
        const got = refusal(() => read(`n=${text}`, 'n', field));
        expect(got).to.equal('invalid_input n');
      }
    });
  }

  for (const text of [
    ...['%ff', '%c0%80', '%ed%a0%80', '%ed%b0%80', 'a%00b', '%e2%82'],
    ...['%f4%90%80%80', '\u00ff'],
  ]) {
    it(`refuses q=${text} as bad Unicode`, () => {
      const got = refusal(() => read(`q=${text}`, 'q', words()));
      expect(got).to.equal('invalid_unicode q');
    });
  }

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
    expect(pathUuid(text)).to.equal(text.toLowerCase());
    expect(pathGuid.parse(text)).to.equal(text.toLowerCase());
    for (const bad of ['', text.slice(1), `${text}0`, `{${text}}`]) {
      expect(pathUuid(bad), bad).to.equal(null);
      expect(pathGuid.safeParse(bad).success, bad).to.equal(false);
    }
    expect(pathUuid(text.replaceAll('-', ''))).to.equal(null);
    expect(pathUuid(`${text}\n`)).to.equal(null);
  });
});
