import fc from 'fast-check';
import {
  fenced,
  fenceFor,
  oneLineJson,
} from '../../../server/http/text-form.js';
import {
  referenceCandidates,
  referencePlaces,
} from '../../../server/http/urls.js';
import { cpuTime } from '../../support/cpu-time.js';

const TABLE: readonly (readonly [string, number[], string])[] = [
  ['#1', [1], 'alone'],
  ['see #12.', [12], 'before a full stop'],
  ['(#12)', [12], 'in brackets'],
  ['[#12]', [12], 'in square brackets'],
  ['#12,#13', [12, 13], 'after a comma'],
  ['#12 #13 #12', [12, 13], 'once each, in order'],
  ['#13 #12', [13, 12], 'in the order of the text'],
  ['\n#12\n', [12], 'on a line of its own'],
  ['#12\u2028', [12], 'before a line separator'],
  ['-#12-', [12], 'between hyphens'],
  ['*#12*', [12], 'between asterisks'],
  ['`#12`', [12], 'in code: the raw text is searched'],
  ['😀#12😀', [12], 'between emoji'],
  ['„#12“', [12], 'between quotation marks'],
  ['#12#13', [12], 'the second follows a word character'],
  ['#0', [], 'zero'],
  ['#012', [], 'a leading zero'],
  ['#00', [], 'zeros'],
  ['#', [], 'no digit'],
  ['# 12', [], 'a blank in between: a heading'],
  ['a#12', [], 'after a letter'],
  ['1#12', [], 'after a digit'],
  ['_#12', [], 'after an underscore'],
  ['é#12', [], 'after a letter that is not ASCII'],
  ['я#12', [], 'after a Cyrillic letter'],
  ['e\u0301#12', [], 'after a combining mark'],
  ['𐐀#12', [], 'after a letter beyond the BMP'],
  ['##12', [], 'after a number sign'],
  ['&#12;', [], 'an HTML entity'],
  ['/#12', [], 'after a slash'],
  ['https://x.test/a#12', [], 'a fragment'],
  ['https://x.test/#12', [], 'a fragment of the root'],
  ['#12a', [], 'before a letter'],
  ['#12_', [], 'before an underscore'],
  ['#12é', [], 'before a letter that is not ASCII'],
  ['#12\u0301', [], 'before a combining mark'],
  ['#ff00aa', [], 'a colour'],
  ['#123456', [123456], 'a colour of digits only'],
  ['#-1', [], 'a sign'],
  ['#1.5', [1], 'a fraction ends the number'],
  ['#1e3', [], 'an exponent is a letter'],
  ['#999999999999999', [999999999999999], 'fifteen digits'],
  ['#1000000000000000', [], 'sixteen digits'],
  ['#１２', [], 'full-width digits'],
  ['#١٢', [], 'Arabic digits'],
  ['#1٢', [], 'another digit after'],
  ['＃12', [], 'a full-width number sign'],
  ['', [], 'nothing'],
];

describe('referenceCandidates', () => {
  for (const [text, ids, what] of TABLE) {
    it(`${JSON.stringify(text)}: ${what}`, () => {
      expect(referenceCandidates(text)).to.deep.equal(ids);
    });
  }

  it('has no cap: which exist is settled later', () => {
    const ids = Array.from({ length: 700 }, (_, index) => index + 1);
    const text = ids.map((id) => `#${id}`).join(' ');
    expect(referenceCandidates(text)).to.deep.equal(ids);
  });

  it('takes time in proportion to the text', () => {
    const hostile = ['#', '#1', '#0', '#1 ', '#123456789012345'];
    const took = cpuTime(() => {
      for (const unit of hostile) referenceCandidates(unit.repeat(40_000));
    });
    expect(took).to.be.below(2000);
  });
});

describe('referencePlaces', () => {
  it('gives every place, repeats included', () => {
    const text = '😀 #12, a#3 and #12';
    const places = referencePlaces(text);
    expect(places.map(({ id }) => id)).to.deep.equal([12, 12]);
    for (const { start, end } of places) {
      expect(text.slice(start, end)).to.equal('#12');
    }
  });
});

function unfenced(block: string): string {
  const end = block.indexOf('\n');
  const fence = block.slice(0, end);
  const lines = block.slice(end + 1).split('\n');
  return lines.slice(0, lines.indexOf(fence)).join('\n');
}

const hostile = fc.string({
  unit: fc.constantFrom('`', '``', '\n', 'a', '\r', '\u2028', '~~~', ' '),
});

describe('a fence', () => {
  it('has three backticks where the text has fewer', () => {
    expect(fenceFor('a `b` ``c``')).to.equal('```');
  });

  it('is longer than any run in the text', () => {
    expect(fenceFor('```\n`````\n``')).to.equal('``````');
  });

  it('gives any text back', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(unfenced(fenced(text))).to.equal(text);
      }),
      { numRuns: 2000 },
    );
  });

  it('is closed by no line of the text, whatever ends a line', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const lines = text.split(/[\n\r\u0085\u2028\u2029\v\f]/);
        expect(lines).not.to.include(fenceFor(text));
      }),
    );
  });
});

describe('oneLineJson', () => {
  it('is one line of the same JSON', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const line = oneLineJson({ text });
        expect(JSON.parse(line)).to.deep.equal({ text });
        expect(line).not.to.match(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
      }),
    );
  });

  it('shows what changes direction or hides as escapes', () => {
    expect(oneLineJson('a\u202eb\u{e0041}\u2028')).to.equal(
      '"a\\u202eb\\udb40\\udc41\\u2028"',
    );
  });
});
