import fc from 'fast-check';
import { renderMarkdown } from '../../../server/site/markdown/markdown.js';
import { recordFaults } from '../../faults/report.js';
import { cpuTime } from '../../support/cpu-time.js';
import { FULL } from '../../support/full.js';
import { chosenSeed, randomOf } from '../../support/random.js';

const LENGTH = 4000;
const WORST_MS = 50;
const INPUTS = FULL ? 300 : 120;

const MESSAGES = new Map([...Array(20).keys()].map((n) => [n + 1, `/t/${n}`]));

/** What a parser might go back and forth over. */
const UNITS = [
  '[¦]¦(¦)¦![¦[a](¦![a](¦](¦[[¦<¦</a¦<a ¦<a b="¦<!--¦<![CDATA[¦<?¦&¦',
  '&amp;¦&#1¦*¦**¦_¦*a_ ¦**a *b ¦_a*¦~~¦~¦`¦``¦`a``¦```\n¦~~~\n¦>¦> ¦',
  '> > ¦- ¦-¦* a\n¦1. ¦1)¦1. a\n¦  - a\n¦# ¦#¦#1¦#1 ¦#12#¦a\n=\n¦a\n-\n¦',
  '\n¦\n\n¦ ¦\t¦\\¦\\[¦http://¦https://a¦https://a.b/(¦https://a.b) ¦',
  'http¦://¦a:¦<https://a¦<https://a>¦\u202e¦\u200d¦👩‍¦\u0301¦é¦漢¦---\n¦',
  '| a ¦"¦\'¦(https://a ¦[](https://a)¦[a](https://a "b',
]
  .join('')
  .split('¦');

/** Units alone, in pairs of two halves, and mixed at random. */
function hostileTexts(seed: number): string[] {
  const random = randomOf(seed);
  const pick = () => UNITS[Math.floor(random() * UNITS.length)] ?? '';
  const filled = (unit: () => string) => {
    let text = '';
    while (text.length < LENGTH) text += unit();
    return text.slice(0, LENGTH);
  };
  const texts = UNITS.map((unit) => filled(() => unit));
  while (texts.length < INPUTS) {
    const [first, second] = [pick(), pick()];
    const half = filled(() => first).slice(0, LENGTH / 2);
    texts.push(half + filled(() => second).slice(0, LENGTH / 2));
    texts.push(filled(() => first + second));
    texts.push(filled(pick));
  }
  return texts.slice(0, INPUTS);
}

function millisecondsOf(text: string, wanted: number): number {
  return cpuTime(() => renderMarkdown(text, MESSAGES), wanted);
}

describe('Rendering Markdown', () => {
  it(`takes at most ${WORST_MS} ms for any of ${INPUTS} hostile bodies`, async () => {
    let worst = { took: 0, text: '' };
    for (const text of hostileTexts(chosenSeed())) {
      const took = millisecondsOf(text, WORST_MS);
      if (took > worst.took) worst = { took, text };
    }
    const { took, text } = worst;
    console.log(`      worst: ${took.toFixed(1)} ms`);
    expect(took, JSON.stringify(text.slice(0, 80))).to.be.at.most(WORST_MS);
    await recordFaults({ test: 'D7 Markdown', faults: INPUTS });
  });

  it('takes time in proportion to the length', () => {
    const unit = fc
      .array(fc.constantFrom(...UNITS), { minLength: 1, maxLength: 4 })
      .map((units) => units.join(''));
    fc.assert(
      fc.property(unit, (text) => {
        // What grows with the square takes 64 times as long, not 8 times.
        const long = text.repeat(Math.ceil((LENGTH * 8) / text.length));
        const wanted = WORST_MS * 8;
        expect(millisecondsOf(long, wanted)).to.be.at.most(wanted);
      }),
      { numRuns: FULL ? 60 : 20 },
    );
  });

  it('gives every text some HTML whose elements are all of the subset', () => {
    const ALLOWED =
      /^<\/?(?:p|h[3-6]|em|strong|s|ul|ol|li|blockquote|hr|pre|code|br|a|span)(?: [a-z]+="[^"<>]*")*>/;
    const text = fc
      .array(
        fc.oneof(fc.constantFrom(...UNITS), fc.string({ unit: 'binary' })),
        { maxLength: 40 },
      )
      .map((units) => units.join(''));
    fc.assert(
      fc.property(text, (source) => {
        const html = renderMarkdown(source, MESSAGES);
        for (let at = html.indexOf('<'); at >= 0; ) {
          expect(html.slice(at)).to.match(ALLOWED);
          at = html.indexOf('<', at + 1);
        }
      }),
      { numRuns: FULL ? 2000 : 500 },
    );
  });
});
