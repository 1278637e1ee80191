import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Config, parseConfig } from '../../../server/config.js';
import { createDatabase } from '../../support/cluster.js';

export class NewDisks {
  private readonly drops: (() => Promise<unknown>)[] = [];

  constructor(private readonly env: () => Record<string, string>) {}

  async make(more: Record<string, string> = {}): Promise<Config> {
    const { url, drop } = await createDatabase();
    const dir = await mkdtemp(path.join(os.tmpdir(), 'new-disk-'));
    this.drops.push(drop, () => rm(dir, { recursive: true, force: true }));
    const mesh = { MESH_ALLOW_HTTP: 'on', MESH_ALLOW_PRIVATE: 'on' };
    const own = { DATABASE_URL: url, DATA_DIR: dir };
    return parseConfig({ ...this.env(), ...mesh, ...own, ...more });
  }

  async drop(): Promise<void> {
    for (const drop of this.drops.reverse()) await drop();
  }
}
