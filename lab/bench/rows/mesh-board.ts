import { createHash } from 'node:crypto';
import { utcDay } from '../../../server/clock.js';
import { freePort } from '../../mesh-demo/node.js';
import type { BoardFacts } from '../processes/board.js';
import type { Lab, RunningBoard } from '../set-up/lab.js';

/** A board that mirrors others and is mirrored, on an empty database. */
export type MeshBoard = RunningBoard &
  BoardFacts & { url: string; database: string; databaseUrl: string };

export async function meshBoard(lab: Lab): Promise<MeshBoard> {
  const set = await lab.database();
  // Its address is in its identity, so the port is chosen before.
  const name = `127.0.0.1:${await freePort()}`;
  const url = `http://${name}`;
  const board = await lab.board(set, {
    PORT: new URL(url).port,
    BASE_URL: url,
    BOARD_NAME: name,
    BOARD_SEED: createHash('sha256').update(name).digest('hex'),
    LOG_BEGIN: utcDay(Date.now()),
    MESH_ALLOW_HTTP: 'on',
    MESH_ALLOW_PRIVATE: 'on',
    ROLES: 'api,mesh,jobs',
  });
  const facts = await board.ask<BoardFacts>({ ask: 'facts' });
  const { database, url: databaseUrl } = set;
  return { ...board, ...facts, url, database, databaseUrl };
}
