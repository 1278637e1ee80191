import fc from 'fast-check';
import { fold } from '../../../protocol/fold.js';
import { excerpt } from '../../../server/search/excerpt.js';
import { excerptOf } from '../../../server/site/bodies.js';
import { plainText } from '../../../server/site/markdown/plain-text.js';

const dots = (count: number) => '.'.repeat(count);

type Row = [
  what: string,
  given: { text: string; q: string; size: number },
  shown: { text: string; offset: number },
];
const TABLE: Row[] = [
  [
    'all of a text that fits',
    { text: 'some words here', q: 'here', size: 15 },
    { text: 'some words here', offset: 0 },
  ],
  [
    'all of a text when size is 0',
    { text: `${dots(500)}here`, q: 'here', size: 0 },
    { text: `${dots(500)}here`, offset: 0 },
  ],
  [
    'the beginning when the match lies inside it',
    { text: `..here${dots(20)}`, q: 'here', size: 10 },
    { text: '..here....', offset: 0 },
  ],
  [
    'the beginning when the match ends with it',
    { text: `......here${dots(20)}`, q: 'here', size: 10 },
    { text: '......here', offset: 0 },
  ],
  [
    'the middle when the match ends one later',
    { text: `.......here${dots(20)}`, q: 'here', size: 10 },
    { text: '...here...', offset: 4 },
  ],
  [
    'the middle, rounded down',
    { text: `${dots(20)}here${dots(20)}`, q: 'here', size: 9 },
    { text: '..here...', offset: 18 },
  ],
  [
    'the end when the match is near it',
    { text: `${dots(20)}here.`, q: 'here', size: 10 },
    { text: '.....here.', offset: 15 },
  ],
  [
    'the end when the match is there',
    { text: `${dots(20)}here`, q: 'here', size: 10 },
    { text: '......here', offset: 14 },
  ],
  [
    'the first of two matches',
    { text: `${dots(20)}here${dots(20)}here`, q: 'here', size: 8 },
    { text: '..here..', offset: 18 },
  ],
  [
    'the beginning when the match is elsewhere',
    { text: dots(30), q: 'title', size: 10 },
    { text: dots(10), offset: 0 },
  ],
  [
    'a part of a match longer than the excerpt',
    { text: `${dots(20)}abcdefgh${dots(20)}`, q: 'abcdefgh', size: 3 },
    { text: 'def', offset: 23 },
  ],
  [
    'code points, not units',
    { text: `${'😀'.repeat(20)}here${'😀'.repeat(20)}`, q: 'here', size: 8 },
    { text: '😀😀here😀😀', offset: 18 },
  ],
  [
    'a match in another case',
    { text: `${dots(20)}HERE${dots(20)}`, q: 'hErE', size: 8 },
    { text: '..HERE..', offset: 18 },
  ],
  [
    'places in the text as stored when folding lengthens what is before',
    { text: `${'ß'.repeat(20)}here${dots(20)}`, q: 'here', size: 8 },
    { text: 'ßßhere..', offset: 18 },
  ],
  [
    'a match inside a ligature',
    { text: `${dots(20)}ﬃ${dots(20)}`, q: 'fi', size: 6 },
    { text: '..ﬃ...', offset: 18 },
  ],
  [
    'the place after İ, which folds to two',
    { text: `${'İ'.repeat(10)}ẞx${dots(20)}`, q: 'ssX', size: 5 },
    { text: 'İẞx..', offset: 9 },
  ],
];

describe('excerpt', () => {
  for (const [what, { text, q, size }, shown] of TABLE) {
    it(`gives ${what}`, () => {
      expect(excerpt(text, q, size)).to.deep.equal(shown);
    });
  }

  it('is the part of the text that its offset names', () => {
    const letters = fc.string({
      unit: fc.constantFrom('a', 'B', 'ß', '😀', 'İ', ' '),
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(letters, fc.nat(58), fc.integer({ min: 1, max: 70 }), run),
      { numRuns: 1000 },
    );
    function run(text: string, at: number, size: number) {
      const characters = [...text];
      const q = characters.slice(at, at + 2).join('') || 'zz';
      const { text: shown, offset } = excerpt(text, q, size);
      const wanted = characters.slice(offset, offset + size).join('');
      expect(shown).to.equal(wanted);
      expect([...shown]).to.have.length(Math.min(size, characters.length));
      const long = size >= [...fold(q)].length + 2;
      if (long && fold(text).includes(fold(q))) {
        expect(fold(shown)).to.include(fold(q));
      }
    }
  });
});

describe('A body as plain text', () => {
  for (const [source, text] of [
    ['**Bold** and *soft* and ~~gone~~.', 'Bold and soft and gone.'],
    ['# Head\n\nWords.\n\nMore.', 'Head · Words. More.'],
    ['- forwards: 0.41 s\n- backwards', 'forwards: 0.41 s · backwards'],
    ['> quoted\n\n```js\nlet a;\n```', 'quoted · let a;'],
    ['[a link](https://example.org) `code`', 'a link code'],
    ['one\ntwo', 'one two'],
    ['<b>raw</b> ![x](y)', '<b>raw</b> ![x](y)'],
    ['', ''],
  ] as const) {
    it(`reads ${JSON.stringify(source)}`, () => {
      expect(plainText(source)).to.equal(text);
    });
  }

  it('is cut between code points, and says so', () => {
    expect(excerptOf('**short**', 20)).to.equal('short');
    expect(excerptOf('one two three', 8)).to.equal('one two…');
    expect(excerptOf('👩‍💻'.repeat(30), 10)).to.match(/^\S+…$/u);
    const long = excerptOf(`**${'word '.repeat(200)}**`, 100);
    expect([...long]).to.have.length.at.most(101);
  });

  it('reads what is deeply nested', () => {
    const text = excerptOf(`${'> '.repeat(2000)}${'- '.repeat(2000)}x`, 50);
    expect([...text].length).to.be.at.most(51);
  });
});
