import { logOrigin, parseLogOrigin } from '../../protocol/board-name.js';
import { decodeFrontier, type Frontier } from '../../protocol/frontier.js';
import { openIdentity } from '../../protocol/identity.js';
import { formatVkey, parseVkey, type Vkey } from '../../protocol/vkey.js';
import { CommandFailure } from '../../server/cli/failure.js';
import type { Config } from '../../server/config.js';
import type { Sql } from '../../server/db/sql.js';
import { boardKeys } from '../../server/ledger/board-keys.js';
import { readHeadFile } from '../../server/ledger/head-file.js';
import { RECORDED } from '../../server/ledger/own-logs.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';
import { listedAt } from '../witness/listed-log.js';
import { lookForMirrors } from './find-mirrors.js';
import type { LogPast } from './open-generation.js';
import { type PastSeen, seeAtMirror } from './see-at-mirror.js';

type Parts = {
  db: Sql;
  config: Config;
  boardSeed: string;
  /** The seed may have signed a log of which nothing else is left. */
  seedKnown: boolean;
  client: PeerClient;
  signal: AbortSignal;
  onProgress: (size: number, of: number) => void;
};

/** The log that ends, and where the reading of its mirrors may begin. */
type Ending = {
  board: string;
  origin: string;
  vkey: Vkey | null;
  /** The same where it was not only derived from the settings. */
  shown: string | null;
  /** A used seed, rows, the head file or another board speak of it. */
  named: boolean;
  frontier: Frontier | null;
  seen: PastSeen;
};

type Row = {
  board: string;
  origin: string;
  log_vkey: string;
  identity: string;
  size: number;
  frontier: Buffer;
  last_message_id: number;
};

/**
 * What can be learnt of the log that ends (spec/mesh.md §B1): from its own
 * rows, the head file, and the mirrors at these addresses, whose pages are
 * verified by the log's old key.
 */
export async function readPast(
  parts: Parts,
  urls: readonly string[],
): Promise<LogPast> {
  const ending = await readEnding(parts, urls);
  const { board, origin, vkey, frontier, seen } = ending;
  const { shown } = ending;
  const known = { board, origin, ...seen, witnessed: false, logVkey: shown };
  const mirrors = vkey === null ? [] : await lookForMirrors(parts, vkey, urls);
  for (const mirror of mirrors) {
    const found = await seeAtMirror(parts, mirror, frontier);
    if (found === null) continue;
    return {
      ...known,
      lastMessageId: Math.max(seen.lastMessageId, found.lastMessageId),
      identitySeq: Math.max(seen.identitySeq, found.identitySeq),
      witnessed: true,
      logVkey: formatVkey(mirror.vkey),
    };
  }
  if (ending.named) return known;
  throw new CommandFailure(
    `Nothing is known of a log of ${board}: there is no seed that may have signed one, no database, no DATA_DIR/log.head and no board that mirrors it. "reserve-board start" begins the first one; name mirrors with --from <url> if there was one.`,
  );
}

async function readEnding(
  { db, config, boardSeed, seedKnown, client, signal }: Parts,
  urls: readonly string[],
): Promise<Ending> {
  const [row] = await db.query<Row>(
    `SELECT board, origin, log_vkey, identity, size, frontier,
       greatest(last_message_id, coalesce((SELECT max(id) FROM message), 0))
         AS last_message_id
     FROM log_state WHERE ${RECORDED}`,
  );
  const kept = await readHeadFile(config.dataDir);
  const board =
    row?.board ??
    config.boardName ??
    parseLogOrigin(kept?.origin ?? '')?.name ??
    new URL(config.baseUrl).host;
  const answers = await Promise.all(
    urls.map((url) => listedAt(client, url, board, signal)),
  );
  const listed = answers.filter((one) => one !== null);
  const origin = newestOf(board, [
    row?.origin,
    kept?.origin,
    ...listed.map((one) => one.origin),
  ]);
  const own = row?.origin === origin ? row : undefined;
  const vkey =
    own?.log_vkey ?? listed.find((one) => one.origin === origin)?.logVkey;
  const parsed = vkey === undefined ? null : parseVkey(vkey);
  const seeds = { ...config, boardSeed };
  const identity = openIdentity(row?.identity ?? '');
  return {
    board,
    origin,
    vkey:
      parsed === null
        ? boardKeys(seeds, board, origin).log.vkey
        : parsed.ok
          ? parsed.value
          : null,
    shown: vkey ?? null,
    named: seedKnown || row !== undefined || kept !== null || listed.length > 0,
    frontier: own === undefined ? null : decodeFrontier(own.size, own.frontier),
    seen: {
      lastMessageId: Math.max(
        row?.last_message_id ?? 0,
        kept?.lastMessageId ?? 0,
      ),
      identitySeq: identity.ok ? identity.value.seq : -1,
    },
  };
}

/** The latest generation that anybody names; the first where nobody does. */
function newestOf(
  board: string,
  origins: readonly (string | undefined)[],
): string {
  const generations = origins.flatMap((origin) => {
    const log = parseLogOrigin(origin ?? '');
    return log?.name === board ? [log.generation] : [];
  });
  return logOrigin(board, Math.max(1, ...generations));
}
