import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { TestBoard } from '../../support/board.js';
import { copyDatabase, dropDatabase } from '../../support/cluster.js';

/** A board in this process whose database and head file can be put back. */
export class KeptNode {
  private head = '';

  constructor(private readonly node: TestBoard) {}

  async keep(): Promise<void> {
    await this.node.restart(async () => {
      this.head = await readFile(this.headFile, 'utf8');
      await copyDatabase(this.copy, this.database);
    });
  }

  async putBack(): Promise<void> {
    await this.node.restart(async () => {
      await dropDatabase(this.database);
      await copyDatabase(this.database, this.copy);
      await writeFile(this.headFile, this.head);
    });
  }

  async end(): Promise<void> {
    await dropDatabase(this.copy);
  }

  private get database(): string {
    return new URL(this.node.databaseUrl).pathname.slice(1);
  }

  private get copy(): string {
    return `${this.database}_kept`;
  }

  private get headFile(): string {
    return path.join(this.node.board.context.config.dataDir, 'log.head');
  }
}
