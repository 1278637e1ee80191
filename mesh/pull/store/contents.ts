import { In, IsNull, Not } from 'typeorm';
import { logPath } from '../../../protocol/board-name.js';
import type { Content } from '../../../protocol/content.js';
import { LogEntry } from '../../../server/db/entities/log.js';
import {
  MirrorMessage,
  MirrorSearch,
} from '../../../server/db/entities/mirror-message.js';
import { Peer } from '../../../server/db/entities/peer.js';
import type { Database, Tx } from '../../../server/db/sql.js';
import type { PeerKept } from '../../../server/db/states.js';
import { referenceCandidates } from '../../../server/http/urls.js';
import { fetchContent } from '../fetch/fetch-page.js';
import type { PullClient, PullSource } from '../hooks.js';
import type { TextRules } from '../verify/text-rules.js';
import { logsOfBoard, mirrorPrefix, mirrorsOf } from './mirror-log.js';
import { lockPeerRow } from './peer.sql.js';
import { degrade, keepingOf, type PullPeer } from './peer-rows.js';
import { dueContents, type MissingContent } from './posts.sql.js';
import { indexTexts, noteReadable } from './updates.sql.js';

const TRIES = 3;
/** 2 s, then 8 s. */
const GAP_MS = 2000;
const AT_ONCE = 32;
const BUDGET_MS = 10_000;

const NO_TEXT = {
  author: null,
  title: null,
  body: null,
  poll: null as unknown as object,
  salt: null,
  refs: null,
};

/**
 * After a change of trust or content option, in all generations: deletes texts,
 * or marks them to be fetched (spec/mesh.md §B8).
 */
export async function keepTexts(
  db: Database,
  peer: PullPeer,
  now: number,
): Promise<void> {
  const { asked, keeps } = keepingOf(peer);
  const kept = keeps ? asked : 'none';
  if (kept === peer.kept) return;
  const { originId } = peer;
  await db.transaction(async (tx) => {
    await lockPeerRow(tx, originId);
    for (const log of await logsOfBoard(tx, originId)) {
      await keepTextsOfLog(tx, log, kept, now);
    }
    await tx.manager.update(Peer, { originId }, { kept });
  });
}

async function keepTextsOfLog(
  tx: Tx,
  originId: number,
  kept: PeerKept,
  now: number,
): Promise<void> {
  const { manager } = tx;
  const isOfGuest = { agentId: IsNull() };
  if (kept !== 'all') {
    const gone = {
      originId,
      status: In(['ok', 'missing', 'withheld']),
      ...(kept === 'signed' ? isOfGuest : {}),
    };
    const bare = { ...NO_TEXT, status: 'bare' as const, fetchAt: null };
    await manager.update(MirrorMessage, gone, bare);
  }
  await manager
    .createQueryBuilder()
    .delete()
    .from(MirrorSearch)
    .where(
      `origin_id = :originId AND EXISTS (SELECT FROM mirror_message m
         WHERE m.origin_id = :originId AND m.id = message_id
           AND m.status <> 'ok')`,
      { originId },
    )
    .execute();
  if (kept === 'none') return;
  await manager.update(
    MirrorMessage,
    {
      originId,
      status: 'bare',
      ...(kept === 'signed' ? { agentId: Not(IsNull()) } : {}),
    },
    { status: 'missing', fetchTries: 0, fetchAt: now },
  );
  // Stubs of guests become visible.
  const stubs = await manager
    .createQueryBuilder(MirrorMessage, 'm')
    .select('m.id', 'id')
    .where({ originId, status: 'bare', ...isOfGuest })
    .andWhere(
      `NOT EXISTS (SELECT FROM mirror_update u
         WHERE u.origin_id = :log AND u.id = m.id)`,
      { log: originId },
    )
    .orderBy('m.id')
    .getRawMany<{ id: number }>();
  const ids = stubs.map(({ id }) => id);
  await noteReadable(tx, originId, ids, now);
}

export type ContentParts = {
  db: Database;
  client: PullClient;
  textRules: TextRules;
  now(): number;
};

export type ContentLog = {
  originId: number;
  origin: string;
  source: PullSource;
  /** False: texts are verified and dropped. */
  keeps: boolean;
};

/**
 * Three tries at the origin, then every mirror, then `withheld` and a degraded
 * peer (spec/mesh.md §B7). An unreachable origin costs no try. True: a text
 * became readable.
 */
export async function fetchMissing(
  parts: ContentParts,
  log: ContentLog,
  signal: AbortSignal,
): Promise<boolean> {
  const { db, client, now } = parts;
  const rows = await dueContents(db, log.originId, now(), AT_ONCE);
  const started = performance.now();
  let found = false;
  for (const row of rows) {
    if (signal.aborted || performance.now() - started > BUDGET_MS) break;
    const source = sourceOf(log, row);
    const got = await fetchContent(client, source, row, signal);
    if (got === 'unreachable') break;
    if (got !== 'gone') found = (await accept(parts, log, row, got)) || found;
    else found = (await missed(parts, log, row, signal)) || found;
  }
  return found;
}

/** A former generation is at the present source. */
function sourceOf({ origin, source }: ContentLog, row: MissingContent) {
  if (row.origin === origin) return source;
  const atMirror = source.prefix === mirrorPrefix(origin);
  const prefix = atMirror ? mirrorPrefix(row.origin) : logPath(row.origin);
  return { ...source, prefix };
}

/** While it is missing. */
const stillMissing = ({ originId, id }: MissingContent) =>
  ({ originId, id, status: 'missing' }) as const;

async function missed(
  parts: ContentParts,
  log: ContentLog,
  row: MissingContent,
  signal: AbortSignal,
): Promise<boolean> {
  const { db, client, now } = parts;
  const missing = stillMissing(row);
  const fetchTries = row.fetchTries + 1;
  if (fetchTries < TRIES) {
    const fetchAt = now() + GAP_MS * 4 ** row.fetchTries;
    await db.manager.update(MirrorMessage, missing, { fetchTries, fetchAt });
    return false;
  }
  for (const { baseUrl } of await mirrorsOf(db, log.originId, log.origin)) {
    const source = { baseUrl, prefix: mirrorPrefix(row.origin) };
    const got = await fetchContent(client, source, row, signal);
    if (typeof got !== 'string') return await accept(parts, log, row, got);
  }
  await db.transaction(async (tx) => {
    const { manager } = tx;
    const { originId } = log;
    const withheld = { status: 'withheld', fetchTries, fetchAt: null } as const;
    const { affected } = await manager.update(MirrorMessage, missing, withheld);
    if (affected === 0) return; // removed meanwhile
    await manager.increment(Peer, { originId }, 'withheldContents', 1);
    await degrade(tx, originId, 'withheld_content', now());
  });
  return false;
}

/** Unless the hash or the board's rules forbid it. */
async function accept(
  { db, textRules, now }: ContentParts,
  { originId, keeps }: ContentLog,
  row: MissingContent,
  content: Content,
): Promise<boolean> {
  const missing = stillMissing(row);
  const isTopic = row.replyTo === null;
  const fault = textRules(content, { isTopic, hasPoll: row.pollId !== null });
  return await db.transaction(async (tx) => {
    const { manager } = tx;
    if (fault !== null) {
      const invalid = { status: 'invalid', fault } as const;
      const post = { ...invalid, fetchAt: null };
      const entry = { originId: row.originId, idx: row.logIndex };
      await manager.update(MirrorMessage, missing, post);
      await manager.update(LogEntry, entry, invalid);
      await manager.increment(Peer, { originId }, 'invalidEntries', 1);
      return false;
    }
    const status = keeps ? 'ok' : 'bare';
    const text = keeps ? textColumns(content) : NO_TEXT;
    const stored = { ...text, status, fetchAt: null } as const;
    const { affected } = await manager.update(MirrorMessage, missing, stored);
    if (affected === 0 || !keeps) return false;
    await indexTexts(tx, row.originId, [{ ...content, id: row.id }]);
    await noteReadable(tx, row.originId, [row.id], now());
    return true;
  });
}

function textColumns({ name, title, body, poll, salt }: Content) {
  const refs = referenceCandidates(body);
  return {
    author: name,
    title: title ?? null,
    body,
    poll: poll ?? NO_TEXT.poll,
    salt: Buffer.from(salt),
    refs: refs.length === 0 ? null : refs,
  };
}
