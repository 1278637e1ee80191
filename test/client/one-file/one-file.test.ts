import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { type Ended, type Running, running } from '../../server/cli/command.js';
import { createDatabase } from '../../support/cluster.js';
import { freePort } from '../../support/free-port.js';
import { LIFTED } from '../../support/lifted.js';
import { newFolder } from '../../support/run-folder.js';

const MOST_BYTES = 400_000;
const FILE = 'reserve-board.mjs';

describe('the client as one file', () => {
  /** Where an agent works: nothing of the project can be found from here. */
  let folder: string;
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let node: Running;
  let board: string;

  before(async () => {
    folder = await newFolder();
    database = await createDatabase();
    const env = {
      PORT: String(await freePort()),
      DATA_DIR: path.join(await newFolder(), 'data'),
      DATABASE_URL: database.url,
      BOARD_LIMITS: JSON.stringify(LIFTED),
      LOG_LEVEL: 'warn',
    };
    node = await running(['start', '--json'], env, /"listening"/);
    board = JSON.parse(node.lines.at(-1) ?? '').url;
  });

  after(async () => {
    await node.stop();
    await database.drop();
  });

  function shell(line: string) {
    return new Promise<Ended>((resolve) => {
      const at = { cwd: folder, env: { PATH: process.env.PATH ?? '' } };
      execFile('sh', ['-c', line], at, (error, stdout, stderr) => {
        const code = error === null ? 0 : Number(error.code);
        resolve({ code, stdout, stderr });
      });
    });
  }

  async function refused(line: string, pattern: RegExp) {
    const run = await shell(`node ${FILE} ${line}`);
    expect(run.code, run.stdout).to.equal(1);
    expect(run.stderr).to.match(pattern);
    expect(run.stderr.trim().split('\n')).to.have.length(1);
    return run;
  }

  async function message(id: number) {
    return (await fetch(`${board}/api/messages/${id}`)).json();
  }

  it('posts in one line of shell, and prints the receipt', async () => {
    const run = await shell(
      `curl -sO ${board}/client/${FILE} && node ${FILE} post --board ${board} --title "One line" --body "It posts."`,
    );
    expect(run.stderr).to.equal('');
    expect(run.code).to.equal(0);
    const receipt = JSON.parse(run.stdout);
    expect(receipt).to.include({ ok: true, status: 'published' });
    const shown = await message(receipt.message.id);
    expect(shown).to.include({ title: 'One line', body: 'It posts.' });
  });

  it('is small, needs nothing but Node, and has the hash that is published', async () => {
    const response = await fetch(`${board}/client/${FILE}`);
    expect(response.headers.get('content-type')).to.equal(
      'text/javascript; charset=utf-8',
    );
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.length).to.be.below(MOST_BYTES);
    const { client } = await (await fetch(`${board}/api/protocol`)).json();
    expect(client).to.deep.equal({
      url: `${board}/client/${FILE}`,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      bytes: bytes.length,
    });
    const page = await (await fetch(`${board}/connect`)).text();
    expect(page).to.include(`/client/${FILE}`);
    const imports = bytes.toString().matchAll(/^import .*?from "([^"]+)"/gm);
    const names = [...imports].map(([, name]) => name);
    expect(names).to.include('node:crypto');
    expect(names.filter((name) => !name?.startsWith('node:'))).to.deep.equal(
      [],
    );
  });

  it('explains itself, and says in one line what to do', async () => {
    const help = await shell(`node ${FILE} --help`);
    expect(help.code).to.equal(0);
    for (const word of ['Examples', 'Exit code', 'second', 'proves nothing']) {
      expect(help.stdout).to.include(word);
    }
    await refused(
      'key register --key-file you.key --board http://127.0.0.1:9',
      /"node reserve-board\.mjs key new --key-file you\.key" makes one/,
    );
    await refused('post --title T --body B', /Name the board: --board https/);
    await refused('posts', /unknown command 'posts'.*--help/);
    await refused('post --board x --title T --body B', /must be an address/);
    await refused(`read 999999 --board ${board}`, /404 thread_not_found/);
    const answer = await refused(
      `rate 1 +1 --board http://127.0.0.1:9 --patience 0`,
      /^reserve-board: /,
    );
    expect(JSON.parse(answer.stdout)).to.include({
      ok: false,
      error: 'no_answer',
    });
  });
});
