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
import { type KeptHead, readHeadFile } from '../../server/ledger/head-file.js';
import { RECORDED } from '../../server/ledger/own-log.sql.js';
import { holds } from '../../server/ledger/rollback-checks.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';
import { listedAt } from '../witness/ask-peer.js';
import {
  headsWithin,
  lookForMirrors,
  type SeenMirror,
  verifiedPage,
} from './find-mirrors.js';
import { whyNot } from './next-page.js';
import { type LogPast, UNSEEN } from './open-generation.js';

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

/** Highest of entries; identities: -1 for none. */
type PastSeen = { lastMessageId: number; identitySeq: number };

/** Mirrors' pages are verified by the old log key (spec/mesh.md §B1). */
export async function readPast(
  parts: Parts,
  urls: readonly string[],
): Promise<LogPast> {
  const { client } = parts;
  const ending = await readEnding(parts, urls);
  const { board, origin, keys, shown, frontier, seen } = ending;
  const known: LogPast = {
    board,
    origin,
    ...seen,
    logVkey: shown,
    witnessed: false,
    silent: [],
  };
  const pasts: Past[] = [];
  for (const { vkey, isOurs } of keys) {
    const { mirrors, silent } = await lookForMirrors(client, vkey, urls);
    known.silent = ending.isWhole ? [] : silent;
    const found = await pastUnder(parts, mirrors, frontier);
    if (found === null || !(isOurs || isPossible(found, seen, origin)))
      continue;
    pasts.push(found);
    known.lastMessageId = Math.max(known.lastMessageId, found.lastMessageId);
    known.identitySeq = Math.max(known.identitySeq, found.identitySeq);
    known.logVkey = formatVkey(vkey);
  }
  known.witnessed =
    known.silent.length === 0 &&
    pasts.length > 0 &&
    pasts.every(({ isWhole }) => isWhole);
  if (pasts.length > 0) return known;
  if (ending.named) return known;
  const why = await Promise.all(
    keys.flatMap(({ vkey }) => urls.map((url) => whyNot(client, vkey, url))),
  );
  throw new CommandFailure(
    `Nothing is known of a log of ${board}: there is no seed that may have signed one, no database, no DATA_DIR/log.head and ${['no board that mirrors it', ...why].join('; ')}. If there was one, set the BASE_URL or BOARD_NAME that it had, or name mirrors with --from <url>; "reserve-board start" begins the first one.`,
  );
}

/** `isWhole`: reached each head that the key has signed. */
type Past = PastSeen & { size: number; isWhole: boolean };

/** Null where no mirror gives all it shows. */
async function pastUnder(
  parts: Parts,
  mirrors: readonly SeenMirror[],
  frontier: Frontier | null,
): Promise<Past | null> {
  const reached = new Set(await heldHere(parts, mirrors, frontier));
  const pasts: PastSeen[] = [...reached].map(() => NOTHING);
  for (const mirror of mirrors) {
    if (reached.has(mirror)) continue;
    const onTheWay = { mirrors, reached };
    // A mirror that does not continue the local log is read whole.
    const beyond =
      frontier !== null &&
      frontier.size < mirror.size &&
      (await walk(parts, mirror, frontier, onTheWay));
    const found =
      beyond || (await walk(parts, mirror, emptyFrontier(), onTheWay));
    if (found !== null) pasts.push(found);
  }
  if (pasts.length === 0) return null;
  return {
    lastMessageId: Math.max(...pasts.map((one) => one.lastMessageId)),
    identitySeq: Math.max(...pasts.map((one) => one.identitySeq)),
    size: Math.max(...[...reached].map(({ size }) => size)),
    isWhole: reached.size === mirrors.length,
  };
}

const NOTHING: PastSeen = { lastMessageId: 0, identitySeq: -1 };

/** Mirrors that show no more than the local rows. */
async function heldHere(
  { db }: Parts,
  mirrors: readonly SeenMirror[],
  own: Frontier | null,
): Promise<SeenMirror[]> {
  if (db === null || own === null) return [];
  const held: SeenMirror[] = [];
  for (const mirror of mirrors) {
    if (mirror.size <= own.size && (await holds(db, mirror))) held.push(mirror);
  }
  return held;
}

/** A key that is not ours may be a lying board's, which would use up IDs. */
function isPossible(found: Past, known: PastSeen, origin: string): boolean {
  const beyond = found.size + generationOf(origin) * UNSEEN;
  return (
    found.lastMessageId <= known.lastMessageId + beyond &&
    found.identitySeq <= Math.max(0, known.identitySeq) + beyond
  );
}

/** A board may name a generation at most so far ahead. */
const GENERATIONS = 100;

/** The ending log, and where reading may begin. */
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
  const seeds = { ...config, boardSeed };
  const derived = (of: string) => boardKeys(seeds, board, of).log.vkey;
  const here = newestOf(board, [row?.origin, kept?.origin]);
  const listed = answers
    .filter((one) => one !== null)
    .filter(({ origin, log_vkey: logVkey }) => {
      const log = parseLogOrigin(origin);
      if (log?.name !== board) return false;
      return (
        logVkey === formatVkey(derived(origin)) ||
        log.generation <= generationOf(here) + GENERATIONS
      );
    });
  const origin = newestOf(board, [here, ...listed.map((one) => one.origin)]);
  const own = row?.origin === origin ? row : null;
  const named = listed
    .filter((one) => one.origin === origin)
    .map(({ log_vkey: logVkey }) => logVkey);
  const ours = own?.logVkey ?? formatVkey(derived(origin));
  const isShown = own !== null || named.includes(ours);
  const candidates = isShown || named.length === 0 ? [ours] : named;
  const identity = openIdentity(row?.identity ?? '');
  return {
    board,
    origin,
    /** Several only where boards name several that are not ours. */
    keys: [...new Set(candidates)].flatMap((text) => {
      const vkey = parseVkey(text);
      return vkey.ok ? [{ vkey: vkey.value, isOurs: text === ours }] : [];
    }),
    /** Not only derived from the settings. */
    shown: isShown ? ours : (named[0] ?? null),
    /** By a used seed, rows, the head file or another board. */
    named: seedKnown || row !== null || kept !== null || listed.length > 0,
    frontier: own === null ? null : decodeFrontier(own.size, own.frontier),
    /** The rows are as new as the head file: no board has more. */
    isWhole: own !== null && isNewest(kept, own),
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

function isNewest(
  kept: KeptHead | null,
  { origin, size }: Pick<LogState, 'origin' | 'size'>,
): boolean {
  if (kept === null || kept.restored || kept.restoring === true) return false;
  return kept.origin === origin && kept.size <= size;
}

function newestOf(board: string, origins: readonly (string | undefined)[]) {
  const generations = origins.flatMap((origin) => {
    const log = parseLogOrigin(origin ?? '');
    return log?.name === board ? [log.generation] : [];
  });
  return logOrigin(board, Math.max(1, ...generations));
}

function generationOf(origin: string): number {
  return parseLogOrigin(origin)?.generation ?? 1;
}

/**
 * Reads beyond `begin`, verified by the log's own key, and notes whose heads it
 * reaches. Null where a mirror does not give all it shows.
 */
async function walk(
  parts: Parts,
  mirror: SeenMirror,
  begin: Frontier,
  onTheWay: { mirrors: readonly SeenMirror[]; reached: Set<SeenMirror> },
) {
  const seen = { ...NOTHING };
  const passed: SeenMirror[] = [];
  let frontier = begin;
  while (frontier.size < mirror.size) {
    const next = await verifiedPage(parts.client, mirror, frontier, 'none');
    if (!next.ok || next.value.page.entries.length === 0) return null;
    const { page } = next.value;
    note(page, seen);
    passed.push(...headsWithin(onTheWay.mirrors, frontier, page).same);
    frontier = next.value.verified.frontier;
    parts.onProgress(frontier.size, mirror.size);
  }
  for (const head of passed) onTheWay.reached.add(head);
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
