import { logOrigin, parseLogOrigin } from '../../protocol/board-name.js';
import { parseEntry, parseEntryHead } from '../../protocol/entry.js';
import type { FeedPage } from '../../protocol/feed-page.js';
import { openIdentity } from '../../protocol/identity.js';
import {
  decodeFrontier,
  emptyFrontier,
  type Frontier,
} from '../../protocol/tree.js';
import { formatVkey, parseVkey } from '../../protocol/vkey.js';
import { CommandFailure } from '../../server/cli/failure.js';
import type { Config } from '../../server/config.js';
import { LogState } from '../../server/db/entities/log.js';
import { Message } from '../../server/db/entities/message.js';
import type { Sql } from '../../server/db/sql.js';
import { boardKeys } from '../../server/ledger/board-keys.js';
import { readHeadFile } from '../../server/ledger/head-file.js';
import { RECORDED } from '../../server/ledger/own-log.sql.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';
import { listedAt } from '../witness/ask-peer.js';
import {
  lookForMirrors,
  type SeenMirror,
  verifiedPage,
} from './find-mirrors.js';
import type { LogPast } from './open-generation.js';

type Parts = {
  /** Null where there is no database yet. */
  db: Sql | null;
  config: Config;
  boardSeed: string;
  /** The seed may have signed a log of which nothing else is left. */
  seedKnown: boolean;
  client: PeerClient;
  onProgress: (size: number, of: number) => void;
};

/** The highest of what entries show; -1 of identities: none was seen. */
type PastSeen = { lastMessageId: number; identitySeq: number };

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
  const { board, origin, vkey, shown, frontier, seen } = ending;
  const known = { board, origin, ...seen, witnessed: false, logVkey: shown };
  const mirrors =
    vkey === null ? [] : await lookForMirrors(parts.client, vkey, urls);
  for (const mirror of mirrors) {
    // One that does not continue what is known here is read whole.
    const beyond = frontier && (await walk(parts, mirror, frontier));
    const found = beyond ?? (await walk(parts, mirror, emptyFrontier()));
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

/** The log that ends, and where the reading of its mirrors may begin. */
async function readEnding(
  { db, config, boardSeed, seedKnown, client }: Parts,
  urls: readonly string[],
) {
  const row =
    (await db?.manager
      .createQueryBuilder(LogState, 'log')
      .where(RECORDED)
      .getOne()) ?? null;
  const lastId = await db?.manager.maximum(Message, 'id');
  const kept = await readHeadFile(config.dataDir);
  const board =
    row?.board ??
    config.boardName ??
    parseLogOrigin(kept?.origin ?? '')?.name ??
    new URL(config.baseUrl).host;
  const answers = await Promise.all(
    urls.map((url) => listedAt(client, url, board)),
  );
  const listed = answers.filter((one) => one !== null);
  const origin = newestOf(board, [
    row?.origin,
    kept?.origin,
    ...listed.map((one) => one.origin),
  ]);
  const own = row?.origin === origin ? row : null;
  const vkey =
    own?.logVkey ?? listed.find((one) => one.origin === origin)?.logVkey;
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
    /** The same where it was not only derived from the settings. */
    shown: vkey ?? null,
    /** A used seed, rows, the head file or another board name it. */
    named: seedKnown || row !== null || kept !== null || listed.length > 0,
    frontier: own === null ? null : decodeFrontier(own.size, own.frontier),
    seen: {
      lastMessageId: Math.max(
        row?.lastMessageId ?? 0,
        row === null ? 0 : (lastId ?? 0),
        kept?.lastMessageId ?? 0,
      ),
      identitySeq: identity.ok ? identity.value.seq : -1,
    },
  };
}

/** The latest generation that any of them names, or the first. */
function newestOf(board: string, origins: readonly (string | undefined)[]) {
  const generations = origins.flatMap((origin) => {
    const log = parseLogOrigin(origin ?? '');
    return log?.name === board ? [log.generation] : [];
  });
  return logOrigin(board, Math.max(1, ...generations));
}

/**
 * Reads what a mirror has of a log beyond `begin`, every page verified by the
 * log's own key. Null where it does not give whole what it shows.
 */
async function walk(parts: Parts, mirror: SeenMirror, begin: Frontier) {
  const seen = { lastMessageId: 0, identitySeq: -1 };
  let frontier = begin;
  while (frontier.size < mirror.size) {
    const next = await verifiedPage(parts.client, mirror, frontier, 'none');
    if (!next.ok || next.value.page.entries.length === 0) return null;
    note(next.value.page, seen);
    frontier = next.value.verified.frontier;
    parts.onProgress(frontier.size, mirror.size);
  }
  return seen;
}

function note({ entries }: FeedPage, seen: PastSeen): void {
  for (const { leaf } of entries) {
    const head = parseEntryHead(leaf);
    if (head?.type === 'post') {
      seen.lastMessageId = Math.max(seen.lastMessageId, head.id ?? 0);
    } else if (head?.type === 'board') {
      const entry = parseEntry(leaf);
      if (!entry.ok || entry.value.type !== 'board') continue;
      const identity = openIdentity(entry.value.embedded);
      if (!identity.ok) continue;
      seen.identitySeq = Math.max(seen.identitySeq, identity.value.seq);
    }
  }
}
