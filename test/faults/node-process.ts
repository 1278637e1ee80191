import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import pg from 'pg';
import supertest from 'supertest';
import { compiledMain } from '../support/compiled.js';
import { freePort } from '../support/free-port.js';
import { inTime } from '../support/in-time.js';
import { LIFTED } from '../support/lifted.js';
import { until } from '../support/until.js';

export type NodeOptions = {
  /** Settings beside those of every node of a test, or instead of them. */
  env?: Record<string, string>;
  /** What Node is told before the program, such as a module to load first. */
  node?: readonly string[];
  /** A shell line that comes before it, such as a limit. */
  shell?: string;
  /** It says nothing that is heard here: HTTP tells that it listens. */
  mute?: boolean;
  dataDir?: string;
  main?: string;
  /** Where it listens; a free one by default. */
  port?: number;
  /** Other boards reach it, under the address at which it listens. */
  linked?: boolean;
};

/** A board as its operator runs it: a process and its embedded database. */
export class NodeProcess {
  private child: ChildProcess | null = null;
  private errors = '';

  private constructor(
    readonly dataDir: string,
    private readonly port: number,
    /** The compiled start; another release may take its place. */
    public main: string,
    private readonly options: NodeOptions,
  ) {}

  static async create(options: NodeOptions = {}): Promise<NodeProcess> {
    const dataDir =
      options.dataDir ??
      (await mkdtemp(path.join(tmpdir(), 'reserve-faults-')));
    const main = options.main ?? (await compiledMain());
    const port = options.port ?? (await freePort());
    const node = new NodeProcess(dataDir, port, main, options);
    await node.start();
    return node;
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  get said(): string {
    return this.errors;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  as(address = '203.0.113.1'): supertest.Agent {
    return supertest.agent(this.url).set('X-Forwarded-For', address);
  }

  get alive(): boolean {
    const { child } = this;
    if (child === null) return false;
    return child.exitCode === null && child.signalCode === null;
  }

  private get env(): NodeJS.ProcessEnv {
    const { PATH = '', HOME = '' } = process.env;
    return {
      PATH,
      HOME,
      PORT: String(this.port),
      ...(this.options.linked
        ? {
            BASE_URL: this.url,
            MESH_ALLOW_HTTP: 'on',
            MESH_ALLOW_PRIVATE: 'on',
          }
        : { BASE_URL: 'http://board.test' }),
      DATA_DIR: this.dataDir,
      TRUST_PROXY: '127.0.0.1/32',
      BOARD_LIMITS: JSON.stringify(LIFTED),
      LOG_LEVEL: process.env.NODE_LOG_LEVEL ?? 'error',
      ...this.options.env,
    };
  }

  get cluster(): string {
    return path.join(this.dataDir, 'pg18');
  }

  async command(...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [this.main, ...args],
      { cwd: tmpdir(), env: this.env },
    );
    return stdout;
  }

  async start(): Promise<void> {
    const { node = [], shell = ':' } = this.options;
    const child = spawn(
      '/bin/sh',
      [
        ...['-c', `${shell}; exec "$@"`, 'sh', process.execPath],
        ...[...node, this.main, 'start', '--json'],
      ],
      {
        cwd: tmpdir(), // where no .env stands
        stdio: ['ignore', 'pipe', 'pipe'],
        env: this.env,
      },
    );
    this.child = child;
    child.stderr?.on('data', (text) => {
      this.errors += text;
    });
    const lines = createInterface({ input: child.stdout });
    const listening = new Promise<void>((resolve, reject) => {
      lines.on('line', (line) => {
        if (line.includes('"listening"')) resolve();
        else this.errors += `${line}\n`;
      });
      child.once('exit', (code) => {
        reject(new Error(`the node ended with ${code}: ${this.errors}`));
      });
    });
    const begun = Promise.race([listening, this.heard()]);
    await inTime('a node that listens', begun, () => this.errors);
  }

  /** Waits until a mute node answers; of another it is never the first. */
  private async heard(): Promise<void> {
    if (this.options.mute !== true) return await new Promise(() => {});
    await until('an answer', async () => {
      const answer = await fetch(`${this.url}/healthz`).catch(() => null);
      await answer?.text();
      return answer?.status === 200;
    });
  }

  async restarted(): Promise<void> {
    await until('its end', () => !this.alive);
    await this.start();
    await this.ready();
  }

  async restart(): Promise<void> {
    await this.end('SIGKILL');
    await this.start();
    await this.ready();
  }

  /** Sends a signal and waits for the end; its exit code, null by SIGKILL. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const { child } = this;
    if (child === null || !this.alive) throw new Error(this.errors);
    const over = once(child, 'exit') as Promise<[number | null]>;
    child.kill(signal);
    const what = `the end of a node by ${signal}`;
    const [code] = await inTime(what, over, () => this.errors);
    return code;
  }

  async postmaster(): Promise<number> {
    const pid = Number((await this.postmasterFile())[0]);
    // A server that only begins has an empty file: 0 would be this very group.
    if (!(pid > 0)) throw new Error('the server has no number yet');
    return pid;
  }

  /** Ends PostgreSQL and waits for the next one, looking all the while. */
  async endDatabase(
    signal: NodeJS.Signals,
    look: () => Promise<void> = async () => {},
  ): Promise<void> {
    const pid = await this.postmaster();
    process.kill(pid, signal);
    await until('another postmaster', async () => {
      await look();
      return (await this.postmaster().catch(() => pid)) !== pid;
    });
  }

  async admin(): Promise<pg.Client> {
    const [, , , port, host] = await this.postmasterFile();
    const client = new pg.Client({
      host: host ?? '',
      port: Number(port),
      user: 'postgres',
      database: 'board',
    });
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  async query<Row = unknown>(sql: string): Promise<Row[]> {
    const client = await this.admin();
    try {
      const { rows } = await client.query(sql);
      return rows as Row[];
    } finally {
      await client.end();
    }
  }

  private async postmasterFile(): Promise<string[]> {
    const file = path.join(this.cluster, 'postmaster.pid');
    return (await readFile(file, 'utf8')).split('\n');
  }

  async ready(): Promise<void> {
    await until('readiness', async () => {
      const answer = await fetch(`${this.url}/readyz`);
      await answer.text();
      return answer.status === 200;
    });
  }

  async remove(): Promise<void> {
    if (!this.alive) await this.start();
    await this.end('SIGTERM');
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
