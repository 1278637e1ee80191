import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { build } from 'vite';
import { type Ended, ended, heard } from '../server/cli/command.js';
import { compiledMain } from '../support/compiled.js';
import { freePort } from '../support/free-port.js';
import { FULL } from '../support/full.js';
import { readOnly } from '../support/read-only.js';
import {
  type Installed,
  installedPackage,
} from './support/installed-package.js';

const shell = promisify(execFile);

const SIGNED_POST = `
  import { randomBytes } from 'node:crypto';
  import { agentFromSeed, createClient } from 'reserve-board/client';
  import { newIdentity } from 'reserve-board/identity';
  import { readPins, verifyProofText } from 'reserve-board/verify';
  import 'reserve-board/verify-bundle';
  import 'reserve-board/protocol/checkpoint';
  const board = process.env.BOARD;
  const seed = randomBytes(32);
  const { agentId, notes } = await newIdentity(seed, randomBytes(32), Date.now());
  const agent = await agentFromSeed(agentId, seed);
  const client = createClient({ board, agent });
  for (const note of notes) await client.sendKeyEvent(note);
  const { message } = await client.post({ title: 'Packed', body: 'It works.' });
  const { signatures } = await (await fetch(board + '/api/protocol')).json();
  const pins = readPins([signatures.log.vkey]).value;
  const proof = await fetch(board + '/api/messages/' + message.id + '/proof');
  const bytes = new Uint8Array(await proof.arrayBuffer());
  const { ok, value } = await verifyProofText(bytes, pins);
  const { pinned, contentVerified, messageId } = value;
  console.log(ok, pinned, contentVerified, messageId === message.id);`;

type Tried = {
  dataDir: string;
  first: string;
  /** Of the signed post and its proof: four times true. */
  signed: string;
  dashboard: string;
  stopped: Ended;
  left: string[];
};

async function tryIn(cwd: string, installed: Installed): Promise<Tried> {
  const child = spawn(process.execPath, [installed.bin, 'start', '--json'], {
    cwd,
    env: {
      PATH: process.env.PATH ?? '',
      PORT: String(await freePort()),
      LOG_LEVEL: 'warn',
    },
  });
  const node = await heard(child, /"listening"/);
  try {
    const { url, data_dir, first_post } = JSON.parse(node.lines.at(-1) ?? '');
    const { stdout: first } = await shell('sh', ['-euc', first_post], { cwd });
    const dashboard = await (await fetch(`${url}/admin/`)).text();
    const signed = await installed.printed(SIGNED_POST, { BOARD: url });
    const stopped = await node.stop();
    const left = await readdir(cwd);
    return { dataDir: data_dir, first, signed, dashboard, stopped, left };
  } finally {
    child.kill('SIGKILL'); // does nothing to one that has stopped
  }
}

function packageFolder({ folder }: Installed): string {
  return path.join(folder, 'node_modules');
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CLIENT = 'reserve-board.mjs';
const MOST_BYTES = 3_000_000;

/** The folders that a newcomer may start in; by day one of them. */
const FOLDERS = FULL
  ? ['empty', 'closed', 'odd', 'in memory', 'read-only package']
  : ['empty'];

/** A module that uses what the package exports, by its types. */
const TYPED = `
  import { createClient, type Receipt } from 'reserve-board/client';
  import { newIdentity } from 'reserve-board/identity';
  import { type Pins, verifyProofText } from 'reserve-board/verify';
  import { verifyBundle } from 'reserve-board/verify-bundle';
  import { parseCheckpoint } from 'reserve-board/protocol/checkpoint';
  const client = createClient({ board: 'https://board.example' });
  export const posted: Promise<Receipt> = client.post({ title: 'T', body: 'B' });
  export const pins: Pins = { logs: [], cosigners: [] };
  export const others = [newIdentity, verifyProofText, verifyBundle, parseCheckpoint];
  // @ts-expect-error a post has a body
  export const refused = client.post({ title: 'T' });`;

describe('the package', () => {
  let installed: Installed;

  before(async () => {
    installed = await installedPackage();
  });

  after(() => installed.remove());

  it('is one small tarball of what runs', () => {
    const { files, size } = installed;
    expect(size).to.be.below(MOST_BYTES);
    expect(files).to.include.members([
      'LICENSE',
      'README.md',
      'bin/reserve-board.js',
      'dist/node/main.js',
      'dist/admin-ui/index.html',
      'dist/client/board-client.js',
      'dist/client/board-client.d.ts',
      'server/api-docs/documents/skill.md',
      'docs/spec/mesh.md',
      'docs/spec/mesh-vectors.json',
    ]);
    const extra = /(?<!\.d)\.tsx?$|\.map$|\.png$|(?:^|\/)(?:test|bench)\//;
    expect(files.filter((name) => extra.test(name))).to.deep.equal([]);
  });

  it('has the same client in one file, wherever it is built', async () => {
    const inside = path.join(installed.bin, '../../dist/node', CLIENT);
    const other = path.join(path.dirname(await compiledMain()), CLIENT);
    expect(await readFile(inside, 'utf8')).to.equal(
      await readFile(other, 'utf8'),
    );
  });

  it('exports nothing of the server', async () => {
    const program = `
      await import('reserve-board/server/board.js').catch((error) =>
        console.log(error.code));`;
    const code = await installed.printed(program);
    expect(code).to.equal('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });

  it('has types', async () => {
    await writeFile(path.join(installed.folder, 'typed.mts'), TYPED);
    const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
    const options = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--ignoreConfig',
    ];
    const form = ['--module', 'nodenext', '--target', 'es2023', '--types', ''];
    const args = [tsc, ...options, ...form, 'typed.mts'];
    const cwd = installed.folder;
    const { code, stdout } = await ended(
      spawn(process.execPath, args, { cwd }),
    );
    expect(stdout).to.equal('');
    expect(code).to.equal(0);
  });

  it('works in a page, where nothing of Node is', async () => {
    const entry = path.join(installed.folder, 'page.js');
    await writeFile(
      entry,
      `export * from 'reserve-board/client';
       export { verifyProofText } from 'reserve-board/verify';`,
    );
    const built = await build({
      root: installed.folder,
      configFile: false,
      logLevel: 'error',
      build: { write: false, lib: { entry, name: 'board', formats: ['iife'] } },
    });
    const [bundle] = [built].flat();
    if (bundle === undefined || !('output' in bundle)) throw new Error('none');
    const page = createContext({
      ...{ URL, TextEncoder, TextDecoder, crypto, fetch, atob, performance },
      ...{ setTimeout, clearTimeout, AbortController, AbortSignal },
    });
    runInContext(bundle.output[0].code, page);
    const work = `(async () => {
      const client = board.createClient({ board: 'https://board.example' });
      const agent = await board.agentFromSeed('a1', new Uint8Array(32));
      const { length } = await agent.sign(new Uint8Array(3));
      const none = { logs: [], cosigners: [] };
      const { reason } = await board.verifyProofText(new Uint8Array(), none);
      return [client.board, length, reason, typeof process].join(' ');
    })()`;
    expect(await runInContext(work, page)).to.equal(
      'https://board.example 64 bad_proof undefined',
    );
  });

  /** An empty folder of that kind, and what takes it away. */
  async function made(kind: (typeof FOLDERS)[number]) {
    const above = kind === 'in memory' ? '/dev/shm' : installed.folder;
    const outer = await mkdtemp(path.join(above, 'board-'));
    const cwd = kind === 'odd' ? path.join(outer, `it's "ü" $x`) : outer;
    await mkdir(cwd, { recursive: true });
    await chmod(outer, kind === 'closed' ? 0o700 : 0o711);
    const locked =
      kind === 'read-only package'
        ? await readOnly(packageFolder(installed))
        : null;
    const remove = async () => {
      await locked?.undo();
      await rm(outer, { recursive: true, force: true });
    };
    return { cwd, remove };
  }

  for (const kind of FOLDERS) {
    it(`starts in a folder (${kind}), takes posts, stops`, async () => {
      const { cwd, remove } = await made(kind);
      const tried = await tryIn(cwd, installed).finally(remove);
      // Root's database cannot live in a folder that is closed to others.
      const isElsewhere = kind === 'closed' && process.getuid?.() === 0;
      if (isElsewhere) {
        expect(tried.dataDir).to.match(/^\/var\/lib\/reserve-board\//);
        await rm(tried.dataDir, { recursive: true });
      } else expect(tried.dataDir).to.equal(path.join(cwd, 'data'));
      expect(tried.first).to.match(/\/t\/\d+/);
      expect(tried.signed).to.equal('true true true true');
      expect(tried.dashboard).to.include('<script type="module"');
      expect(tried.stopped.stderr).to.equal('');
      expect(tried.stopped.code).to.equal(0);
      expect(tried.left).to.have.members([
        ...(isElsewhere ? [] : ['data']),
        CLIENT,
      ]);
    });
  }

  it('keeps no data in node_modules', async () => {
    const cwd = path.dirname(path.dirname(installed.bin));
    const inside = path.join(cwd, 'elsewhere');
    for (const [DATA_DIR, fix] of [
      ['', /^reserve-board: The data would be in node_modules.*set DATA_DIR/],
      [inside, /^reserve-board: DATA_DIR must not be in node_modules/],
    ] as const) {
      const env = { PATH: process.env.PATH ?? '', DATA_DIR };
      const args = [installed.bin, 'start'];
      const run = await ended(spawn(process.execPath, args, { cwd, env }));
      expect(run.code).to.equal(1);
      expect(run.stderr).to.match(fix);
      expect(run.stderr.trim().split('\n')).to.have.length(1);
    }
    for (const made of [path.join(cwd, 'data'), inside]) {
      expect(existsSync(made), made).to.equal(false);
    }
  });
});
