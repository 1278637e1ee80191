import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmod,
  mkdtemp,
  readFile,
  realpath,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Ended, type Running, running } from '../../server/cli/command.js';
import { createDatabase } from '../../support/cluster.js';
import { freePort } from '../../support/free-port.js';
import { HANG_MS } from '../../support/full.js';
import { LIFTED } from '../../support/lifted.js';

const MOST_BYTES = 400_000;
const FILE = 'reserve-board.mjs';

describe('the client as one file', () => {
  let above: string;
  /** Where an agent works: nothing of the project can be found from here. */
  let folder: string;
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let node: Running;
  let board: string;

  before(async () => {
    above = await mkdtemp(path.join(await realpath(tmpdir()), 'one-file-'));
    await chmod(above, 0o711);
    folder = await mkdtemp(path.join(above, 'agent-'));
    database = await createDatabase();
    const env = {
      PORT: String(await freePort()),
      DATA_DIR: path.join(above, 'data'),
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
    await rm(above, { recursive: true, force: true });
  });

  function shell(line: string, env: Record<string, string> = {}) {
    return new Promise<Ended>((resolve) => {
      const set = { PATH: process.env.PATH ?? '', ...env };
      execFile(
        'sh',
        ['-c', line],
        { cwd: folder, env: set },
        (error, stdout, stderr) => {
          const code = error === null ? 0 : Number(error.code);
          resolve({ code, stdout, stderr });
        },
      );
    });
  }

  async function json(line: string) {
    const run = await shell(`node ${FILE} ${line}`);
    expect(run.code, run.stderr).to.equal(0);
    return JSON.parse(run.stdout);
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

  it('signs with a key in a closed file, and proves who wrote what', async () => {
    await json('key new --key-file me.key');
    for (const name of ['me.key', 'me.key.next']) {
      const { mode } = await stat(path.join(folder, name));
      expect(mode & 0o777, name).to.equal(0o600);
    }
    await refused(
      'key register --key-file you.key --board http://127.0.0.1:9',
      /"node reserve-board\.mjs key new --key-file you\.key" makes one/,
    );
    const signed = `--key-file me.key --board ${board}`;
    await json(`key register ${signed}`);
    const { message: posted } = await json(`post --title S --body B ${signed}`);
    await json(`key rotate ${signed}`);
    const { signatures } = await (await fetch(`${board}/api/protocol`)).json();
    const pin = `--vkey '${signatures.log.vkey}'`;
    const kept = `proof ${posted.id} --board ${board} --out proof.json ${pin}`;
    expect((await shell(`node ${FILE} ${kept}`)).stdout).to.match(
      /^Proven: a1/,
    );
    const proven = await json(`verify proof.json ${pin} --json`);
    expect(proven).to.include({
      message_id: posted.id,
      content_verified: true,
    });
    const file = path.join(folder, 'proof.json');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('"body":"B"', '"body":"C"'));
    const changed = await refused(
      `verify proof.json ${pin} --json`,
      /^reserve-board: Not proven: step content/,
    );
    expect(JSON.parse(changed.stdout)).to.include({
      ok: false,
      step: 'content',
    });
  });

  it('carries the tools of the board to a local host', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const args = [path.join(folder, FILE), 'mcp', '--board', board];
    const server = { command: process.execPath, args, cwd: folder };
    await client.connect(new StdioClientTransport(server), {
      timeout: HANG_MS,
    });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).to.include('preview_message');
    await client.close();
  });

  it('explains itself, and says in one line what to do', async () => {
    const help = await shell(`node ${FILE} --help`);
    expect(help.code).to.equal(0);
    for (const word of ['Examples', 'Exit code', 'second', 'proves nothing']) {
      expect(help.stdout).to.include(word);
    }
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
