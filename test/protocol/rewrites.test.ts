import fc from 'fast-check';
import { openPost } from '../../protocol/key.js';
import { recordFaults } from '../faults/report.js';
import { registered } from './support/agent-keys.js';
import { must, taken, vectors } from './support/vectors.js';

const RUNS = 5000;
const NOTES = vectors.messages.slice(1, 3).map(({ note }) => must(note));

type Rewrite = (note: string, at: number, unit: string) => string;

const inLine =
  (change: (line: string) => string): Rewrite =>
  (note, at) => {
    const lines = note.split('\n');
    const nth = at % lines.length;
    return lines.with(nth, change(lines[nth] ?? '')).join('\n');
  };

/** What many readers would call the same text. */
const SAME_MEANING: Record<string, Rewrite> = {
  'CR LF': (note) => note.replaceAll('\n', '\r\n'),
  'one CR LF': (note, at) => {
    const lines = note.split('\n');
    const nth = 1 + (at % (lines.length - 1));
    return `${lines.slice(0, nth).join('\n')}\r\n${lines.slice(nth).join('\n')}`;
  },
  'a byte order mark': (note) => `\uFEFF${note}`,
  'no last line end': (note) => note.slice(0, -1),
  'one more line end': (note) => `${note}\n`,
  'a blank line before': (note) => `\n${note}`,
  'three line ends between': (note) => note.replace('\n\n', '\n\n\n'),
  'a space at the end of a line': inLine((line) => `${line} `),
  'a space before a line': inLine((line) => ` ${line}`),
  'two spaces': inLine((line) => line.replace(' ', '  ')),
  'a tab': inLine((line) => line.replace(' ', '\t')),
  'a no-break space': inLine((line) => line.replace(' ', '\u00A0')),
  capitals: inLine((line) => line.toUpperCase()),
  'a line twice': inLine((line) => `${line}\n${line}`),
  'no such line': (note, at) => {
    const lines = note.split('\n');
    return lines.toSpliced(at % lines.length, 1).join('\n');
  },
  'two lines exchanged': (note, at) => {
    const lines = note.split('\n');
    const nth = at % (lines.length - 1);
    const [one = '', two = ''] = lines.slice(nth, nth + 2);
    return lines.toSpliced(nth, 2, two, one).join('\n');
  },
  'a leading zero': inLine((line) => line.replace(/ (\d)/, ' 0$1')),
  'a plus sign': inLine((line) => line.replace(/ (\d)/, ' +$1')),
  'a fraction of nothing': inLine((line) => line.replace(/ (\d+)$/, ' $1.0')),
  base64url: inLine((line) => line.replaceAll('+', '-').replaceAll('/', '_')),
  'no padding': inLine((line) => line.replace(/=+$/, '')),
  'other trailing bits': inLine((line) =>
    line.replace(
      /([AEIMQUYcgkosw048])=$/,
      (_, last: string) => `${String.fromCharCode(last.charCodeAt(0) + 1)}=`,
    ),
  ),
  'a hyphen as dash': (note) => note.replace('\u2014', '-'),
  'another dash': (note) => note.replace('\u2014', '\u2013'),
  'a space of no width': inLine((line) => line.replace(' ', ' \u200B')),
  'full width': inLine((line) =>
    line.replace(/[a-z]/, (found) =>
      String.fromCharCode(found.charCodeAt(0) + 0xfee0),
    ),
  ),
  'a signature line more': (note) => note + must(note.split('\n').at(-2)),
  'version 2': (note) => note.replace('/v1\n', '/v2\n'),
  'no vote': (note) => note.replace(/vote [+-]1\n/, ''),
  'the other vote': (note) =>
    note.replace(/vote ([+-])1\n/, (_, sign) =>
      sign === '+' ? 'vote -1\n' : 'vote +1\n',
    ),
};

/** What a line that hides something does to the text. */
const HIDDEN: Record<string, Rewrite> = {
  'an inserted character': (note, at, unit) =>
    note.slice(0, at % note.length) + unit + note.slice(at % note.length),
  'a replaced character': (note, at, unit) =>
    note.slice(0, at % note.length) + unit + note.slice((at % note.length) + 1),
  'a character less': (note, at) =>
    note.slice(0, at % note.length) + note.slice((at % note.length) + 1),
  'a cut': (note, at) => note.slice(0, at % note.length),
  'two neighbours exchanged': (note, at) => {
    const from = at % (note.length - 1);
    const [one = '', two = ''] = note.slice(from, from + 2);
    return note.slice(0, from) + two + one + note.slice(from + 2);
  },
};

const REWRITES = Object.entries({ ...SAME_MEANING, ...HIDDEN });

describe('signed bytes that are rewritten', () => {
  it(`open as ${RUNS} generated rewrites never, and as themselves`, async () => {
    const met = new Map<string, number>();
    let changed = 0;
    const one = fc.record({
      note: fc.constantFrom(...NOTES),
      rewrite: fc.constantFrom(...REWRITES),
      at: fc.nat({ max: 4096 }),
      unit: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    });
    const samples = fc.sample(one, { numRuns: RUNS * 3, seed: 20261121 });
    for (const { note, rewrite, at, unit } of samples) {
      const [name, change] = rewrite;
      const rewritten = change(note, at, unit);
      if (rewritten === note) continue; // there was nothing to rewrite
      changed += 1;
      met.set(name, (met.get(name) ?? 0) + 1);
      const opened = openPost(rewritten, registered);
      expect(
        opened.ok,
        `${name} at ${at}: ${JSON.stringify(rewritten)}`,
      ).to.equal(false);
    }
    expect(changed).to.be.at.least(RUNS);
    expect([...met.keys()].sort()).to.deep.equal(
      REWRITES.map(([name]) => name).sort(),
    );
    for (const note of NOTES) taken(openPost(note, registered));
    await recordFaults({ test: 'F17', faults: changed });
  });
});
