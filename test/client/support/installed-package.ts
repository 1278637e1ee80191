import { execFile } from 'node:child_process';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { FULL } from '../../support/full.js';
import { treeFiles } from '../../support/tree-files.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const MODULES = path.join(ROOT, 'node_modules');
/** Nothing in these goes into a build. */
const NO_SOURCES = /^(?:test|docs(?!\/spec\/)|bench|reports)\//;
const run = promisify(execFile);

export type Packed = {
  file: string;
  /** Of the tarball, in bytes. */
  size: number;
  /** Paths below the package. */
  files: string[];
};

/** Packs a copy of this tree, unbuilt, by `npm pack`. */
async function pack(folder: string): Promise<Packed> {
  const copy = path.join(folder, 'checkout');
  for (const name of await treeFiles(ROOT)) {
    if (NO_SOURCES.test(name)) continue;
    await cp(path.join(ROOT, name), path.join(copy, name));
  }
  await symlink(MODULES, path.join(copy, 'node_modules'));
  // What the build says would stand before the JSON.
  const quiet = ['--json', '--foreground-scripts=false'];
  const args = ['pack', ...quiet, '--pack-destination', folder];
  const { stdout } = await run('npm', args, { cwd: copy });
  type Said = { filename: string; size: number; files: { path: string }[] };
  const said = JSON.parse(stdout) as Said[] | Record<string, Said>;
  const [one] = Object.values(said);
  if (one === undefined) throw new Error(`npm pack said ${stdout}`);
  return {
    file: path.join(folder, one.filename),
    size: one.size,
    files: one.files.map(({ path: name }) => name),
  };
}

type Manifest = Record<
  'dependencies' | 'optionalDependencies',
  Record<string, string>
>;

/**
 * What `npm install --omit=dev <tarball>` leaves in an empty folder. The short
 * version asks no registry: it unpacks the tarball and links what its own
 * package.json asks for, nothing else, so that a package which is not asked for
 * is missed.
 */
async function install(folder: string, { file }: Packed): Promise<void> {
  await writeFile(path.join(folder, 'package.json'), '{"private":true}');
  if (FULL) {
    const quiet = ['--no-audit', '--no-fund', '--prefer-offline'];
    await run('npm', ['install', '--omit=dev', ...quiet, file], {
      cwd: folder,
    });
    return;
  }
  const modules = path.join(folder, 'node_modules');
  const own = path.join(modules, 'reserve-board');
  await mkdir(own, { recursive: true });
  await run('tar', ['-xzf', file, '-C', own, '--strip-components=1']);
  const text = await readFile(path.join(own, 'package.json'), 'utf8');
  const { dependencies, optionalDependencies } = JSON.parse(text) as Manifest;
  const asked = { ...dependencies, ...optionalDependencies };
  for (const name of Object.keys(asked)) {
    const at = path.join(modules, name);
    await mkdir(path.dirname(at), { recursive: true });
    await symlink(path.join(MODULES, name), at);
  }
}

export type Installed = Packed & {
  folder: string;
  bin: string;
  printed(program: string, env?: Record<string, string>): Promise<string>;
  remove(): Promise<void>;
};

export async function installedPackage(): Promise<Installed> {
  const above = await mkdtemp(path.join(await realpath(tmpdir()), 'packed-'));
  await chmod(above, 0o711); // the account of root's database goes through it
  const folder = path.join(above, 'installed');
  await mkdir(folder);
  const packed = await pack(above);
  await install(folder, packed);
  return {
    ...packed,
    folder,
    bin: path.join(folder, 'node_modules/reserve-board/bin/reserve-board.js'),
    printed: async (program, env = {}) => {
      const args = ['--input-type=module', '-e', program];
      const set = { cwd: folder, env: { ...process.env, ...env } };
      const { stdout } = await run(process.execPath, args, set);
      return stdout.trim();
    },
    remove: () => rm(above, { recursive: true, force: true }),
  };
}
