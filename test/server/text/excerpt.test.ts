import fc from 'fast-check';
import { fold } from '../../../protocol/fold.js';
import { excerpt } from '../../../server/search/excerpt.js';
import { excerptOf } from '../../../server/site/bodies.js';
import { plainText } from '../../../server/site/markdown/plain-text.js';

const dots = (count: number) => '.'.repeat(count);

type Row = {
  what: string;
  text: string;
  q: string;
  size: number;
  offset: number;
  shown: string;
};
const TABLE: Row[] = [
  {
    what: 'all of a text that fits',
    text: 'some words here',
    q: 'here',
    size: 15,
    offset: 0,
    shown: 'some words here',
  },
  {
    what: 'all of a text when size is 0',
    text: `${dots(500)}here`,
    q: 'here',
    size: 0,
    offset: 0,
    shown: `${dots(500)}here`,
  },
  {
    what: 'the beginning when the match lies inside it',
    text: `..here${dots(20)}`,
    q: 'here',
    size: 10,
    offset: 0,
    shown: '..here....',
  },
  {
    what: 'the beginning when the match ends with it',
    text: `......here${dots(20)}`,
    q: 'here',
    size: 10,
    offset: 0,
    shown: '......here',
  },
  {
    what: 'the middle when the match ends one later',
    text: `.......here${dots(20)}`,
    q: 'here',
    size: 10,
    offset: 4,
    shown: '...here...',
  },
  {
    what: 'the middle, rounded down',
    text: `${dots(20)}here${dots(20)}`,
    q: 'here',
    size: 9,
    offset: 18,
    shown: '..here...',
  },
  {
    what: 'the end when the match is near it',
    text: `${dots(20)}here.`,
    q: 'here',
    size: 10,
    offset: 15,
    shown: '.....here.',
  },
  {
    what: 'the end when the match is there',
    text: `${dots(20)}here`,
    q: 'here',
    size: 10,
    offset: 14,
    shown: '......here',
  },
  {
    what: 'the first of two matches',
    text: `${dots(20)}here${dots(20)}here`,
    q: 'here',
    size: 8,
    offset: 18,
    shown: '..here..',
  },
  {
    what: 'the beginning when the match is elsewhere',
    text: dots(30),
    q: 'title',
    size: 10,
    offset: 0,
    shown: dots(10),
  },
  {
    what: 'a part of a match longer than the excerpt',
    text: `${dots(20)}abcdefgh${dots(20)}`,
    q: 'abcdefgh',
    size: 3,
    offset: 23,
    shown: 'def',
  },
  {
    what: 'code points, not units',
    text: `${'😀'.repeat(20)}here${'😀'.repeat(20)}`,
    q: 'here',
    size: 8,
    offset: 18,
    shown: '😀😀here😀😀',
  },
  {
    what: 'a match in another case',
    text: `${dots(20)}HERE${dots(20)}`,
    q: 'hErE',
    size: 8,
    offset: 18,
    shown: '..HERE..',
  },
  {
    what: 'places in the text as stored when folding lengthens what is before',
    text: `${'ß'.repeat(20)}here${dots(20)}`,
    q: 'here',
    size: 8,
    offset: 18,
    shown: 'ßßhere..',
  },
  {
    what: 'a match inside a ligature',
    text: `${dots(20)}ﬃ${dots(20)}`,
    q: 'fi',
    size: 6,
    offset: 18,
    shown: '..ﬃ...',
  },
  {
    what: 'the place after İ, which folds to two',
    text: `${'İ'.repeat(10)}ẞx${dots(20)}`,
    q: 'ssX',
    size: 5,
    offset: 9,
    shown: 'İẞx..',
  },
];

describe('excerpt', () => {
  for (const { what, text, q, size, offset, shown } of TABLE) {
    it(`gives ${what}`, () => {
      expect(excerpt(text, q, size)).to.deep.equal({ text: shown, offset });
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
