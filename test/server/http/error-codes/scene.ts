import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { ErrorCode } from '../../../../server/errors.js';
import { writeHeadFile } from '../../../../server/ledger/head-file.js';
import { pull } from '../../../mesh/boards/support/pull.js';
import {
  type Linked,
  linkedBoards,
} from '../../../mesh/relay/linked-boards.js';
import { startBoard, type TestBoard } from '../../../support/board.js';
import { publish } from '../../../support/post.js';

/** Two linked boards and one that lost its log, for one request per code. */
export type Scene = Linked & {
  stop(): Promise<void>;
  /** Has a head file of its second log, and an empty database. */
  lost: TestBoard;
  /** A guest's topic on A, which B mirrors. */
  root: number;
};

/** An answer over HTTP; `request` where no socket was written by hand. */
export type Answer = {
  status: number;
  body: Record<string, unknown>;
  text: string;
  headers?: Record<string, string>;
  request?: { method: string; url: string };
};

/** Makes the board answer with one code. */
export type Producer = (scene: Scene) => PromiseLike<Answer>;
export type Producers = Partial<Record<ErrorCode, Producer>>;

export const HOUR_MS = 3_600_000;

export async function errorScene(): Promise<Scene> {
  const boards = await linkedBoards({
    limitsA: { topics_per_source_hour: 3, searches_per_network_minute: 1 },
    limitsB: { searches_per_network_minute: 1 },
  });
  const { a, b } = boards;
  const root = (await publish(a)).message.id;
  await pull(b, a);
  const { lost, stop } = await lostBoard();
  return {
    ...boards,
    ...{ lost, root },
    stop: async () => {
      await boards.stop();
      await stop();
    },
  };
}

async function lostBoard() {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'lost-'));
  await writeHeadFile(dataDir, {
    ...{ origin: 'board.test/log2', size: 4, root: new Uint8Array(32) },
    ...{ lastMessageId: 2, time: 1, restored: false },
  });
  const lost = await startBoard({ env: { DATA_DIR: dataDir } });
  const stop = async () => {
    await lost.stop();
    await rm(dataDir, { recursive: true });
  };
  return { lost, stop };
}
