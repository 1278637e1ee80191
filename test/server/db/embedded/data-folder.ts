import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  lstat,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import {
  type EmbeddedDatabase,
  startEmbedded,
} from '../../../../server/db/embedded/index.js';
import { inTime } from '../../../support/in-time.js';

const CHILD = `
  const { startEmbedded } = await import(${JSON.stringify(
    new URL('../../../../server/db/embedded/index.ts', import.meta.url).href,
  )});
  const db = await startEmbedded({ dataDir: process.argv[1], log() {} });
  const { connection, adopted } = db;
  console.log(JSON.stringify({ connection, adopted }));
  process.stdin.resume().on('end', () => db.stop());
`;

type Connection = EmbeddedDatabase['connection'];

/** What one process knows of the server that it uses. */
export type Told = Pick<EmbeddedDatabase, 'connection' | 'adopted'>;

export class DataFolder {
  private readonly started: EmbeddedDatabase[] = [];
  private readonly children: ChildProcess[] = [];

  folder = '';

  async make(): Promise<void> {
    this.folder = await mkdtemp(join(await realpath(tmpdir()), 'embedded-'));
    await chmod(this.folder, 0o711);
  }

  get dataDir(): string {
    return join(this.folder, 'data');
  }

  async start(
    dataDir = this.dataDir,
    underWay?: (isNew: boolean) => void,
  ): Promise<EmbeddedDatabase> {
    const database = await startEmbedded({
      dataDir,
      log() {},
      ...(underWay && { underWay }),
    });
    this.started.push(database);
    return database;
  }

  async startInChild(): Promise<Told & { child: ChildProcess }> {
    const child = spawn(
      process.execPath,
      [
        '--import=@oxc-node/core/register',
        '--input-type=module',
        '--eval',
        CHILD,
        this.dataDir,
      ],
      { detached: true, stdio: ['pipe', 'pipe', 'inherit'] },
    );
    this.children.push(child);
    const told = async (): Promise<Told> => {
      for await (const line of createInterface(child.stdout)) {
        return JSON.parse(line) as Told;
      }
      throw new Error('the child did not start');
    };
    return { child, ...(await inTime('the word of a child', told())) };
  }

  async serverPid(): Promise<number | null> {
    const path = join(this.dataDir, 'pg18', 'postmaster.pid');
    const text = await readFile(path, 'utf8').catch(() => '');
    return text === '' ? null : Number.parseInt(text, 10);
  }

  async modes(dir = this.dataDir): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const name of await readdir(dir)) {
      const { mode } = await lstat(join(dir, name));
      found[name] = (mode & 0o777).toString(8);
    }
    return found;
  }

  async remove(): Promise<void> {
    for (const child of this.children.splice(0)) await finish(child);
    for (const database of this.started.splice(0)) await database.stop();
    const left = await this.serverPid();
    if (left !== null) process.kill(left, 'SIGINT'); // a test that failed
    await rm(this.folder, { recursive: true, force: true });
  }
}

export function givenFolder(): DataFolder {
  const on = new DataFolder();
  beforeEach(() => on.make());
  afterEach(() => on.remove());
  return on;
}

export async function query(connection: Connection, sql: string) {
  const client = new Client(connection);
  await client.connect();
  try {
    return (await client.query(sql)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

export async function expectRefusal(promise: Promise<unknown>, part: string) {
  const error = await promise.then(
    () => null,
    (e: unknown) => e as Error,
  );
  expect(error?.name).to.equal('EmbeddedDatabaseError');
  expect(error?.message).to.include(part);
  return error?.message;
}

export async function finish(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.stdin?.end();
  await inTime('the end of a child', exit);
}
