import { readFile } from 'node:fs/promises';
import { welcomeFacts, welcomeText } from '../../../server/cli/welcome.js';
import { parseConfig } from '../../../server/config.js';
import {
  NODE_LINES,
  nodeWarning,
} from '../../../server/operations/node-version.js';
import { command, running } from './command.js';
import { givenHome } from './home.js';

const NOW = Date.parse('2026-11-28T12:00:00Z');
const LATER = Date.parse('2027-05-01T00:00:00Z');
const ENDED = /(?:gets|has had) no security fixes/;
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

describe('the first lines of a node', () => {
  const config = parseConfig({ DATA_DIR: '/srv/board' });
  const address = 'http://127.0.0.1:8080';
  const setup = 'http://localhost:8080/admin/setup#code';
  const started = { config, address, port: 8080, setup, closed: null };

  it('are five on a first start: address, data, set-up, a post, what to read', () => {
    const lines = welcomeText(started).split('\n');
    expect(lines).to.have.length(5);
    expect(lines[0]).to.equal(`The board is at ${address}`);
    expect(lines[1]).to.include('/srv/board (database included)');
    expect(lines[2]).to.include(setup);
    expect(lines[3]).to.match(/^Post a first message: curl /);
    const { first_post } = welcomeFacts(started) as { first_post: string };
    expect(lines[3]).to.equal(`Post a first message: ${first_post}`);
    expect(JSON.stringify(first_post), 'to be copied').not.to.include('\\');
    expect(first_post.length).to.be.below(200);
    expect(lines[4]).to.include(`${address}/connect`);
  });

  it('have no link where there is an operator, no post where writes are closed', () => {
    expect(welcomeText({ ...started, setup: null })).not.to.include('setup');
    const closed = { ...started, closed: 'the log is behind its mirrors' };
    expect(welcomeText(closed)).to.include('Writes are closed: the log is');
    expect(welcomeText(closed)).not.to.include('curl');
    expect(welcomeFacts(closed)).to.include({
      writes: 'closed',
      writes_closed: 'the log is behind its mirrors',
    });
    expect(welcomeFacts(closed)).not.to.have.property('first_post');
  });
});
