import { expect } from 'chai';
import fc from 'fast-check';
import { triplesOf, wantedTriples } from '../../../server/text/triples.js';
import { startBoard, type TestBoard } from '../../support/board.js';

/** Whatever PostgreSQL can hold and a folded text may be made of. */
const character = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'e',
    ' ',
    '\t',
    '\n',
    'ß',
    'я',
    'ѣ',
    '漢',
    '字',
    '😀',
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);
const texts = fc
  .array(character, { maxLength: 60 })
  .map((parts) => parts.join('').replaceAll('\0', ''))
  .filter((text) => text.isWellFormed());

describe('the triples of texts', () => {
  let test: TestBoard;

  before(async () => {
    test = await startBoard();
  });

  after(() => test.stop());

  /** The keys in the index, as the database makes them. */
  const stored = async (title: string | null, body: string) => {
    const [row] = await test.board.context.reads.query<{ keys: number[] }>(
      'SELECT search_grams($1, $2) AS keys',
      [title, body],
    );
    return new Set(row?.keys);
  };

  it('are those that the database makes', async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.option(texts), async (body, title) => {
        const keys = await stored(title, body);
        expect([...keys]).to.include.members(triplesOf(body));
        expect([...keys]).to.include.members(triplesOf(title ?? ''));
      }),
      { numRuns: 300 },
    );
  });

  it('find every part of a text, two code points as well', async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.nat(), fc.nat(), async (text, from, size) => {
        const points = [...text];
        fc.pre(points.length >= 2);
        const start = from % (points.length - 1);
        const part = points.slice(start, start + 2 + (size % 30)).join('');
        const { operator, keys } = wantedTriples(part);
        for (const found of [
          await stored(null, text),
          await stored(text, 'x'),
        ]) {
          const held = keys.filter((key) => found.has(key)).length;
          expect(held).to.be.at.least(operator === '@>' ? keys.length : 1);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('tell ASCII apart and are few', () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789;.-_'];
    const all = letters.flatMap((a) =>
      letters.flatMap((b) => letters.map((c) => triplesOf(a + b + c).join())),
    );
    expect(new Set(all)).to.have.property('size', letters.length ** 3);
    expect(triplesOf('banana')).to.have.length(3);
    expect(triplesOf('ab')).to.deep.equal([]);
  });
});
