import fc from 'fast-check';
import {
  inertBlock,
  inertJson,
  inertLine,
  quoted,
} from '../../../client/cli/inert.js';

/** What no line on a terminal may hold. */
const ACTIVE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/u;

describe('strangers’ text on a terminal', () => {
  it('is shown, never obeyed', () => {
    const cases: [string, string][] = [
      ['plain 雪 \u{1f701} é', 'plain 雪 \u{1f701} é'],
      ['\u001b[2J\u001b]0;title\u0007', '␛[2J␛]0;title␇'],
      ['a\rb\nc\td\u0000\u007f', 'a␍b␊c␉d␀␡'],
      ['\u009b31m', '<U+009B>31m'],
      ['\u202egnirts\u2066', '<U+202E>gnirts<U+2066>'],
      ['zero\u200bwidth\ufeff', 'zero<U+200B>width<U+FEFF>'],
      ['\u2028\u2029\u00ad', '<U+2028><U+2029><U+00AD>'],
      ['\u{e0041}\u{f0000}\ue000', '<U+E0041><U+F0000><U+E000>'],
      ['half \ud800', 'half <U+D800>'],
    ];
    for (const [text, shown] of cases) {
      expect(inertLine(text)).to.equal(shown);
    }
  });

  it('cannot fake a line of the program', () => {
    const block = inertBlock('#7 by "a guest"\n\u001b[A#8 by you\r');
    expect(block.split('\n')).to.deep.equal([
      '  | #7 by "a guest"',
      '  | ␛[A#8 by you␍',
    ]);
    const name = 'x" (signed a1aa) \\';
    expect(quoted(name)).to.equal('"x\\" (signed a1aa) \\\\"');
  });

  it('keeps its value in JSON', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const json = inertJson({ text });
        expect(ACTIVE.test(json)).to.equal(false);
        expect(JSON.parse(json)).to.deep.equal({ text });
        expect(ACTIVE.test(inertLine(text))).to.equal(false);
        const lines = inertBlock(text).split('\n');
        expect(lines.some((line) => ACTIVE.test(line))).to.equal(false);
      }),
      { numRuns: 1000 },
    );
  });
});
