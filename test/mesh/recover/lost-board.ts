import { execFile } from 'node:child_process';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  realpath,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import supertest from 'supertest';
import {
  command,
  type Ended,
  launched,
  type Running,
  running,
} from '../../server/cli/command.js';
import type { TestBoard } from '../../support/board.js';
import { compiledMain } from '../../support/compiled.js';
import { freePort } from '../../support/free-port.js';

/** A board as an operator runs it: a process, its own PostgreSQL, a shell. */
export class LostBoard {
  private node: Running | null = null;
  /** What the commands of the pages wrote, the newest last. */
  readonly said: Ended[] = [];

  private constructor(
    private readonly folder: string,
    readonly url: string,
    private readonly env: Record<string, string>,
  ) {}

  static async make(): Promise<LostBoard> {
    const folder = await mkdtemp(
      path.join(await realpath(tmpdir()), 'recover-'),
    );
    await chmod(folder, 0o711);
    const at = (name: string) => path.join(folder, name);
    for (const name of ['bin', 'safe']) await mkdir(at(name));
    const main = await compiledMain();
    const script = `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`;
    await writeFile(at('bin/reserve-board'), script, { mode: 0o755 });
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    return new LostBoard(folder, url, {
      PATH: `${at('bin')}:${process.env.PATH ?? ''}`,
      HOST: '127.0.0.1',
      PORT: String(port),
      BASE_URL: url,
      DATA_DIR: at('data'),
      SAFE: at('safe'),
      PEERS: at('safe/peers.json'),
      BACKUP: at('backup'),
      MESH_ALLOW_HTTP: 'on',
      MESH_ALLOW_PRIVATE: 'on',
      LOG_LEVEL: 'error',
    });
  }

  get name(): string {
    return new URL(this.url).host;
  }

  /** Requests, for what posts to a board of a test. */
  as(): TestBoard {
    return { as: () => supertest.agent(this.url) } as unknown as TestBoard;
  }

  async start(): Promise<void> {
    this.node = await running(['start', '--json'], this.env, /"url"/);
  }

  async stop(): Promise<void> {
    await this.node?.stop();
    this.node = null;
  }

  /** Runs a command to its end; it has to go well. */
  async run(...args: string[]): Promise<Ended> {
    const ended = await command(args, this.env);
    expect(ended.code, `${args.join(' ')}: ${ended.stderr}`).to.equal(0);
    return ended;
  }

  /** Starts a command and kills it after a while, or lets it end. */
  async killed(args: readonly string[], afterMs: number): Promise<void> {
    const child = await launched(args, this.env);
    const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
    await new Promise((resolve) => child.once('close', resolve));
    clearTimeout(timer);
  }

  /** The commands of a page, as printed; `start` stays running. */
  async follow(lines: readonly string[], peer: string): Promise<void> {
    for (const line of lines) {
      if (line === 'reserve-board start') await this.start();
      else this.said.push(await this.shell(line, peer));
    }
  }

  /** The page that `doctor --deep` names, and its lines that fail. */
  async examined(...args: string[]) {
    const { stdout } = await command(
      ['doctor', '--deep', '--json', ...args],
      this.env,
    );
    const { page, checks } = JSON.parse(stdout) as {
      page: { id: string } | null;
      checks: { name: string; state: string; detail: string }[];
    };
    const failed = checks.filter(({ state }) => state === 'fail');
    return { page: page?.id ?? null, failed, checks };
  }

  get backup(): string {
    return this.env.BACKUP ?? '';
  }

  /** What an operator did before the loss: the seed apart, the data gone. */
  async lose(keepsSeed: boolean): Promise<void> {
    await this.stop();
    const { DATA_DIR = '', SAFE = '' } = this.env;
    const seed = path.join(SAFE, 'board.seed');
    if (keepsSeed) await cp(path.join(DATA_DIR, 'board.seed'), seed);
    else await rm(seed, { force: true });
    await rm(`${DATA_DIR}.lost`, { recursive: true, force: true });
  }

  async end(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async shell(line: string, peer: string): Promise<Ended> {
    const env = { ...this.env, PEER: peer };
    return await new Promise((resolve, reject) => {
      execFile('sh', ['-c', line], { env }, (error, stdout, stderr) => {
        if (error === null) resolve({ code: 0, stdout, stderr });
        else reject(new Error(`${line}\n${stdout}${stderr}`));
      });
    });
  }
}
