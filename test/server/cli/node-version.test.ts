import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import {
  NODE_LINES,
  nodeWarning,
} from '../../../server/operations/node-version.js';
import { command, running } from './command.js';
import { givenHome } from './home.js';

const NOW = Date.parse('2026-11-28T12:00:00Z');
const LATER = Date.parse('2027-05-01T00:00:00Z');
const ENDED = /gets no security fixes/;
const LACKS = /lacks the security fixes of/;

/** Options that make Node.js take itself for another release. */
const asNode = (version: string) => {
  const code = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${code}` };
};

describe('the release of Node.js', () => {
  const at = givenHome({ LOG_LEVEL: 'silent' }, { database: true });

  for (const [version, now, warning] of [
    ['20.20.2', NOW, ENDED],
    ['20.20.2', Date.parse('2026-04-30T12:00:00Z'), null],
    ['22.13.0', NOW, LACKS],
    ['22.23.1', NOW, LACKS],
    ['22.23.2', NOW, null],
    ['22.24.0', NOW, null],
    ['22.24.0', LATER, ENDED],
    ['24.18.0', NOW, LACKS],
    ['24.18.1', NOW, null],
    ['25.9.0', NOW, ENDED],
    ['26.5.0', NOW, LACKS],
    ['26.10.0', NOW, null],
    ['28.0.0', NOW, null],
  ] as const) {
    it(`is ${warning === null ? 'fine' : 'warned of'} as ${version} in ${new Date(now).getFullYear()}`, () => {
      const found = nodeWarning(version, now);
      if (warning === null) expect(found).to.equal(null);
      else expect(found?.detail).to.match(warning);
      if (found === null) return;
      // What it says to install is fine.
      const [fine = ''] = /\d+\.\d+\.\d+/.exec(found.fix) ?? [];
      expect(nodeWarning(fine, now)).to.equal(null);
    });
  }

  it('is a warning of doctor with what to install, and no failure', async () => {
    const env = { ...at.env, ...asNode('22.20.0') };
    const { code, stdout } = await command(['doctor', '--json'], env);
    expect(code).to.equal(0);
    const { checks } = JSON.parse(stdout);
    expect(checks[0]).to.include({ name: 'Node.js', state: 'warn' });
    expect(checks[0].detail).to.match(LACKS);
    expect(checks[0].fix).to.match(/^install Node\.js 22\.23\.2, /);
  });

  it('is a line of the start, which goes on', async () => {
    const env = { ...at.env, ...asNode('22.20.0'), LOG_LEVEL: 'warn' };
    const board = await running(['start'], env, /"listening"/);
    expect(board.lines.join('\n')).to.match(LACKS);
    const { code } = await board.stop();
    expect(code).to.equal(0);
  });

  it('is in SECURITY.md as in the table', async () => {
    const file = new URL('../../../SECURITY.md', import.meta.url);
    const text = await readFile(file, 'utf8');
    const rows = [...text.matchAll(/^\| (\d+) \| ([\d.]+) \| ([\d-]+) \|$/gm)];
    expect(rows.map(([, ...row]) => row)).to.deep.equal(
      [...NODE_LINES].map(([major, { secure, ends }]) => [
        String(major),
        [major, ...secure].join('.'),
        ends,
      ]),
    );
  });
});
