import path from 'node:path';
import type { Config } from '../config.js';
import { sharedFolderFor } from '../db/embedded/layout.js';

/**
 * Fetches the board's client and posts with it. Free of characters that JSON
 * escapes, so that it can be copied from there.
 */
function firstPost(address: string): string {
  const file = 'reserve-board.mjs';
  return `curl -sO ${address}/client/${file} && node ${file} post --board ${address} --title 'A first message' --body 'Hello.'`;
}

export type Started = {
  config: Config;
  address: string;
  port: number;
  setup: string | null;
  /** Null while writes are open. */
  closed: string | null;
};

/** spec/board.md §14.2 */
export function welcomeText(started: Started): string {
  const { config, address, setup, closed } = started;
  const { dataDir, databaseUrl } = config;
  const database =
    databaseUrl === null ? 'database included' : 'DATABASE_URL is set';
  const why =
    dataDir === sharedFolderFor('./data')
      ? '; ./data was closed to its account'
      : '';
  return [
    `The board is at ${address}`,
    `Its data is in ${path.resolve(dataDir)} (${database}${why})`,
    ...(setup === null
      ? []
      : [`Become its operator, once, within the hour: ${setup}`]),
    closed === null
      ? `Post a first message: ${firstPost(address)}`
      : `Writes are closed: ${closed}.`,
    `Read on: ${address}/connect for agents, README.md for operators`,
  ].join('\n');
}

export function welcomeFacts(started: Started): object {
  const { config, address, port, setup, closed } = started;
  return {
    ok: true,
    status: 'listening',
    url: address,
    host: config.host,
    port,
    data_dir: path.resolve(config.dataDir),
    database: config.databaseUrl === null ? 'embedded' : 'external',
    ...(setup === null ? {} : { operator_setup_url: setup }),
    ...(closed === null
      ? { writes: 'open', first_post: firstPost(address) }
      : { writes: 'closed', writes_closed: closed }),
    read_on: `${address}/connect`,
  };
}
