import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import supertest from 'supertest';
import { withOwnDatabase } from '../../../server/cli/tool-database.js';
import { type Config, parseConfig } from '../../../server/config.js';
import { clusterOf } from '../../../server/db/embedded/layout.js';
import {
  type LivingServer,
  livingServers,
} from '../../../server/db/embedded/orphans.js';
import { readHeadFile } from '../../../server/ledger/head-file.js';
import {
  command,
  type Ended,
  type Running,
  running,
} from '../../server/cli/command.js';
import { compiledMain } from '../../support/compiled.js';
import { freePort } from '../../support/free-port.js';
import { HANG_MS } from '../../support/full.js';
import { missingOf } from './missing.js';

/** One network begins a topic after each loss. */
const LIMITS = {
  topics_per_source_hour: 100,
  topics_per_source_day: 100,
  writes_per_network_minute: 100,
  writes_per_network_hour: 1000,
};

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
    const prefix = path.join(await realpath(tmpdir()), 'recover-');
    const folder = await mkdtemp(prefix);
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
      BOARD_LIMITS: JSON.stringify(LIMITS),
      MESH_ALLOW_HTTP: 'on',
      MESH_ALLOW_PRIVATE: 'on',
      LOG_LEVEL: 'warn',
    });
  }

  get name(): string {
    return new URL(this.url).host;
  }

  as(): supertest.Agent {
    return supertest.agent(this.url);
  }

  async start(): Promise<void> {
    this.node = await running(['start', '--json'], this.env, /"url"/);
  }

  async stop(): Promise<void> {
    await this.node?.stop();
    this.node = null;
  }

  async crash(): Promise<void> {
    if (this.node === null) await this.start();
    await this.node?.stop('SIGKILL');
    this.node = null;
    expect(this.servers(), 'left behind').to.have.length(1);
  }

  /** The servers of its data folder, and of one that was there before. */
  servers(): LivingServer[] {
    return livingServers(clusterOf(this.dataDir));
  }

  /** What a crash left behind; none beside a running node. */
  orphans(): LivingServer[] {
    return this.node === null ? this.servers() : [];
  }

  /** Each command of a page once more, when the board runs again. */
  async againLater(lines: readonly string[], peer: string): Promise<void> {
    for (const line of lines) {
      const isOwn = line.startsWith('reserve-board ');
      if (isOwn && line !== 'reserve-board start') {
        await this.shell(line, peer).catch(() => {});
      }
    }
  }

  async tried(
    args: readonly string[],
    more: Record<string, string> = {},
  ): Promise<Ended> {
    return await command(args, { ...this.env, ...more });
  }

  async run(...args: string[]): Promise<Ended> {
    const ended = await this.tried(args);
    expect(ended.code, `${args.join(' ')}: ${ended.stderr}`).to.equal(0);
    return ended;
  }

  async killed(args: readonly string[], afterMs: number): Promise<void> {
    await this.cutShort(`reserve-board ${args.join(' ')}`, '', afterMs);
  }

  /** As printed, first without each setting; with `random` each is killed first; returns how many were. */
  async follow(
    lines: readonly string[],
    peer: string,
    random?: () => number,
  ): Promise<number> {
    let kills = 0;
    for (const line of lines) {
      const isKilled = random !== undefined && line.startsWith('reserve-board');
      if (isKilled) {
        // From a tenth of a second to ten, as many short as long.
        await this.cutShort(line, peer, 100 * 100 ** random());
        kills += 1;
      }
      for (const [setting, says] of isKilled ? [] : missingOf(line)) {
        const listed = await this.peersKept();
        const said = await this.without(setting, line, peer);
        expect(says.test(said), `${setting}: ${said}`).to.equal(true);
        expect(await this.peersKept(), line).to.equal(listed);
      }
      if (line === 'reserve-board start') await this.started();
      else this.said.push(await this.again(line, peer, isKilled));
    }
    return kills;
  }

  /** A first start that was killed may need the word of its operator. */
  private async started(): Promise<void> {
    await this.start();
    const isClosed = this.node?.lines.some((it) => it.includes('log begin'));
    if (isClosed) await this.run('log', 'begin', '--yes');
  }

  /** A command that was killed may be done, and says so. */
  private async again(line: string, peer: string, wasKilled: boolean) {
    const run = this.shell(line, peer);
    if (!wasKilled) return await run;
    return await run.catch((error: Error) => {
      const said = { code: 1, stdout: '', stderr: error.message };
      if (error.message.includes('has a board already')) return said;
      const isNext = error.message.includes('leave the option out');
      if (!isNext) throw error;
      return this.shell(line.replace(' --new-seed', ''), peer);
    });
  }

  private async cutShort(line: string, peer: string, afterMs: number) {
    const env = { ...this.env, PEER: peer };
    const options = { env, detached: true, stdio: 'ignore' as const };
    const child = spawn('sh', ['-c', line], options);
    // The whole group: its shell and the command.
    const timer = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, afterMs);
    await once(child, 'close');
    clearTimeout(timer);
  }

  async examined(...args: string[]) {
    const doctor = ['doctor', '--deep', '--json'];
    const { stdout } = await this.tried([...doctor, ...args]);
    const { page, checks } = JSON.parse(stdout) as {
      page: { id: string } | null;
      checks: { name: string; state: string; detail: string }[];
    };
    const failed = checks.filter(({ state }) => state === 'fail');
    return { page: page?.id ?? null, failed, checks };
  }

  /** What its node logged last, such as why it is not ready. */
  get lastLine(): string {
    return this.node?.lines.at(-1) ?? '';
  }

  get backup(): string {
    return this.env.BACKUP ?? '';
  }

  get dataDir(): string {
    return this.env.DATA_DIR ?? '';
  }

  get config(): Config {
    return parseConfig(this.env);
  }

  async headSize(): Promise<number> {
    return (await readHeadFile(this.dataDir))?.size ?? 0;
  }

  /** Changes rows of the stopped board's database, as damage would. */
  async damage(statement: string): Promise<void> {
    await withOwnDatabase(this.config, async (db) => {
      await db.query(statement);
    });
  }

  /** The database as it is now, for `rewind`. The board is stopped. */
  async remember(): Promise<void> {
    await copied(this.dataDir, `${this.dataDir}.earlier`);
  }

  /** Puts the database of `remember` back; the other files stay. */
  async rewind(): Promise<void> {
    const earlier = `${this.dataDir}.earlier`;
    for (const file of ['log.head', 'board.seed']) {
      await cp(path.join(this.dataDir, file), path.join(earlier, file));
    }
    await rm(this.dataDir, { recursive: true });
    await rename(earlier, this.dataDir);
  }

  async keep(): Promise<void> {
    await copied(this.folder, this.copy);
  }

  async putBack(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true });
    await copied(this.copy, this.folder);
  }

  async vanish(): Promise<void> {
    await rm(this.dataDir, { recursive: true });
  }

  /** As if the machine's clock had jumped ahead while nothing ran. */
  async jumpAhead(ms: number): Promise<void> {
    const file = path.join(this.dataDir, 'clock.json');
    const kept = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify({ ...kept, wall: kept.wall - ms }));
  }

  /** What is left of it after a crash: the seed that was kept apart, or not. */
  async lose(keepsSeed: boolean): Promise<void> {
    const isCrashed = this.node === null && this.servers().length > 0;
    if (!isCrashed) await this.crash();
    const { DATA_DIR = '', SAFE = '' } = this.env;
    const seed = path.join(SAFE, 'board.seed');
    if (keepsSeed) await cp(path.join(DATA_DIR, 'board.seed'), seed);
    else await rm(seed, { force: true });
    await rm(`${DATA_DIR}.lost`, { recursive: true, force: true });
  }

  async end(): Promise<void> {
    await this.stop();
    for (const folder of [this.folder, this.copy]) {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private peersKept = () =>
    readFile(this.env.PEERS ?? '', 'utf8').catch(() => null);

  private get copy(): string {
    return `${this.folder}.kept`;
  }

  /** In a new folder, where a forgotten DATA_DIR makes its `data`; what HOST gives is not BASE_URL. */
  private async without(setting: string, line: string, peer: string) {
    const bare = `rm -rf "$SAFE/new" && mkdir "$SAFE/new" && cd "$SAFE/new" && ${line}`;
    const run = this.shell(bare, peer, { HOST: 'localhost', [setting]: '' });
    return await run.then(({ stdout }) => stdout, String);
  }

  private async shell(line: string, peer: string, more = {}): Promise<Ended> {
    const env = { ...this.env, PEER: peer, ...more };
    return await new Promise((resolve, reject) => {
      const options = { env, timeout: HANG_MS };
      execFile('sh', ['-c', line], options, (error, stdout, stderr) => {
        // It ends with 1 where something is wrong, as on these pages.
        const isDoctor = line.includes('reserve-board doctor');
        const isKnown = isDoctor && error?.code === 1;
        const code = error === null ? 0 : 1;
        if (code === 0 || isKnown) resolve({ code, stdout, stderr });
        else reject(new Error(`${line}\n${stdout}${stderr}`));
      });
    });
  }
}

/** Copies a folder with its owners, which a copy by Node does not keep. */
async function copied(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', from, to]);
}
