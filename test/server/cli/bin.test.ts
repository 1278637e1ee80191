import { spawn } from 'node:child_process';
import { cp, mkdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOnly } from '../../support/read-only.js';
import { newFolder } from '../../support/run-folder.js';
import { type Ended, ended } from './command.js';

const BIN = fileURLToPath(new URL('../../../bin', import.meta.url));

/** With what code the packing of a folder ends; else 0. */
type Packed = { '.'?: number; 'admin-ui'?: number };

describe('the committed bins', () => {
  let root: string;

  beforeEach(async () => {
    root = await newFolder();
    await cp(BIN, path.join(root, 'bin'), { recursive: true });
    await write('package.json', '{"type": "module"}');
  });

  async function write(name: string, text: string): Promise<string> {
    const file = path.join(root, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    return file;
  }

  async function run(name: string, ...args: string[]): Promise<Ended> {
    const file = path.join(root, 'bin', name);
    return await ended(spawn(process.execPath, [file, ...args]));
  }

  /** A stand-in for what packs: the node it builds tells its arguments. */
  async function installPacker(codes: Packed = {}): Promise<void> {
    await write('node_modules/commander/package.json', '{}');
    await write('node_modules/vite/package.json', '{"type": "module"}');
    const main = 'console.log(process.argv.slice(2).join(" "), process.pid)';
    await write(
      'node_modules/vite/bin/vite.js',
      `import { mkdirSync, writeFileSync } from 'node:fs';
       const folder = process.argv.at(-1);
       const code = ${JSON.stringify(codes)}[folder] ?? 0;
       const [file, text] = folder === '.'
         ? ['dist/node/main.js', '${main}']
         : ['dist/admin-ui/index.html', ''];
       mkdirSync(file.slice(0, file.lastIndexOf('/')), { recursive: true });
       if (folder === '.' || code === 0) writeFileSync(file, text);
       console.log('packed', folder);
       process.exit(code);`,
    );
  }

  it('hide from the node what would load another driver', async () => {
    const said = 'console.log(process.env.NODE_PG_FORCE_NATIVE, process.env.A)';
    await write('dist/node/main.js', said);
    const file = path.join(root, 'bin', 'reserve-board.js');
    const env = { ...process.env, NODE_PG_FORCE_NATIVE: '1', A: '2' };
    const { stdout } = await ended(spawn(process.execPath, [file], { env }));
    expect(stdout).to.equal('undefined 2\n');
  });

  it('are executable', async () => {
    for (const name of ['reserve-board.js', 'start.js']) {
      const { mode } = await stat(path.join(BIN, name));
      expect(mode & 0o111).to.equal(0o111);
    }
  });

  it('say in one line what to do before a build', async () => {
    const { code, stdout, stderr } = await run('reserve-board.js', 'doctor');
    expect(code).to.equal(1);
    expect(stdout).to.equal('');
    expect(stderr).to.match(/^reserve-board: nothing is built yet; run "npm /);
    expect(stderr.trim().split('\n')).to.have.length(1);
  });

  it('say in one line that Node.js is too old', async () => {
    await write('dist/node/main.js', 'console.log("ran");');
    const old = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '20.18.3' } })`;
    for (const name of ['reserve-board.js', 'start.js']) {
      const file = path.join(root, 'bin', name);
      const args = ['--import', old, file, 'doctor'];
      const run = await ended(spawn(process.execPath, args));
      expect(run.code, name).to.equal(1);
      expect(run.stdout).to.equal('');
      expect(run.stderr).to.match(
        /^reserve-board: Node\.js 20\.18\.3 is too old; install 22\.13 .*\n$/,
      );
    }
  });

  it('run what is built', async () => {
    await write('dist/node/main.js', 'console.log(process.argv[2]);');
    const { code, stdout } = await run('reserve-board.js', 'doctor');
    expect(code).to.equal(0);
    expect(stdout).to.equal('doctor\n');
  });

  it('npm start names the missing installation', async () => {
    const bare = await run('start.js');
    expect(bare.code).to.equal(1);
    expect(bare.stderr).to.match(/^reserve-board: the dependencies are miss/);
    await write('node_modules/commander/package.json', '{}');
    const production = await run('start.js');
    expect(production.code).to.equal(1);
    expect(production.stderr).to.match(/build tool is missing/);
    expect(production.stderr.trim().split('\n')).to.have.length(1);
  });

  it('npm start builds what is missing or stale, and nothing else', async () => {
    await installPacker();
    const source = await write('server/cli/start.ts', '');
    const page = await write('admin-ui/main.tsx', '');
    const first = await run('start.js', '--json');
    // What is printed for programs stays free of what the tools say.
    expect(first.stdout).to.match(/^start --json \d+\n$/);
    expect(first.stderr).to.match(
      /^reserve-board: building.*\npacked \.\nreserve-board: building.*\npacked admin-ui\n$/,
    );
    const second = await run('start.js');
    expect(second.stdout).to.match(/^start \d+\n$/);
    expect(second.stderr).to.equal('');
    const newer = new Date(Date.now() + 60_000);
    await utimes(source, newer, newer);
    const third = await run('start.js');
    expect(third.stderr).to.match(/^reserve-board: building.*\npacked \.\n$/);
    await utimes(page, newer, newer);
    const fourth = await run('start.js');
    expect(fourth.stderr).to.include('packed admin-ui');
  });

  it('npm start runs a board whose dashboard could not be built', async () => {
    await installPacker({ 'admin-ui': 1 });
    const failed = await run('start.js');
    expect(failed.stdout).to.match(/^start \d+\n$/);
    expect(failed.stderr).to.include('could not be built');
    await rm(path.join(root, 'node_modules', 'vite'), { recursive: true });
    const without = await run('start.js');
    expect(without.stdout).to.match(/^start \d+\n$/);
    expect(without.stderr).to.include('dashboard is not built');
  });

  it('npm start runs in its own process, so that signals reach it', async () => {
    await installPacker();
    const file = path.join(root, 'bin', 'start.js');
    const child = spawn(process.execPath, [file]);
    const { stdout } = await ended(child);
    expect(stdout).to.include(`start ${child.pid}\n`);
  });

  it('npm start runs in a folder that cannot be written what is built there', async () => {
    await installPacker();
    const folder = await readOnly(root);
    try {
      const bare = await run('start.js');
      expect(bare.code).to.equal(folder.holds ? 1 : 0);
      const line =
        /^reserve-board: nothing is built yet, and .* its owner first\.\n$/;
      if (folder.holds) expect(bare.stderr).to.match(line);
    } finally {
      await folder.undo();
    }
    await run('start.js');
    const later = new Date(Date.now() + 60_000);
    await utimes(await write('server/cli/start.ts', ''), later, later);
    const again = await readOnly(root);
    try {
      const { stdout, stderr } = await run('start.js');
      expect(stdout).to.match(/^start \d+\n$/);
      const said = again.holds ? 'it runs as it was built' : 'building';
      expect(stderr).to.include(said);
    } finally {
      await again.undo();
    }
  });

  it('npm start leaves nothing of a build that failed', async () => {
    await installPacker({ '.': 2 });
    for (let i = 0; i < 2; i += 1) {
      const { code, stderr } = await run('start.js');
      expect(code).to.equal(1);
      expect(stderr).to.include('the build failed');
    }
    const later = await run('reserve-board.js', 'doctor');
    expect(later.stderr).to.include('nothing is built yet');
  });
});
