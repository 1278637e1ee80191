import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { formatVkey } from '../../protocol/vkey.js';
import { Board } from '../../server/board.js';
import { parseConfig } from '../../server/config.js';
import { temporaryFolder } from '../../server/db/embedded/reach.js';
import { silentLogger } from '../../server/logger.js';

export type DemoNode = {
  title: string;
  name: string;
  url: string;
  logVkey: string;
  board: Board;
  stop(): Promise<void>;
};

/** Below 32768: no connection of others takes one before the board does. */
const FIRST_PORT = 20_000;
const BEHIND_LAST_PORT = 32_000;

/** Its address stands in its identity, so the port is chosen before. */
export async function freePort(): Promise<number> {
  const port = randomInt(FIRST_PORT, BEHIND_LAST_PORT);
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
  return isFree ? port : await freePort();
}

export async function startDemoNode(title: string): Promise<DemoNode> {
  const dataDir = await mkdtemp(path.join(temporaryFolder(), 'reserve-demo-'));
  const url = `http://127.0.0.1:${await freePort()}`;
  const config = parseConfig({
    PORT: new URL(url).port,
    BASE_URL: url,
    DATA_DIR: dataDir,
    BOARD_TITLE: title,
    MESH_ALLOW_HTTP: 'on',
    MESH_ALLOW_PRIVATE: 'on',
  });
  try {
    const board = await Board.create(config, { log: silentLogger });
    const stop = async () => {
      await board.stop();
      await rm(dataDir, { recursive: true, force: true });
    };
    await board.start().catch(async (error: unknown) => {
      await board.stop();
      throw error;
    });
    const { name } = board.context.board;
    const logVkey = formatVkey(board.context.keys.log.vkey);
    return { title, name, url, logVkey, board, stop };
  } catch (error) {
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  }
}
