import { expect } from 'chai';
import fc from 'fast-check';
import {
  fenced,
  fenceFor,
  oneLineJson,
} from '../../../server/reading/thread-text.js';

/** Reads a fenced text as any program would: by whole lines. */
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
