import { parseCheckpoint } from '../../protocol/checkpoint.js';
import { parseEntry } from '../../protocol/entry.js';
import { parseNote, signatureLine } from '../../protocol/note.js';
import type { Sql } from '../../server/db/sql.js';
import type { Cosigner } from './cosigner.js';
import { fetchEvidence } from './fetch-evidence.js';
import { HeadRound, hurried } from './head-round.js';
import { logEvidence } from './keep-evidence.js';
import { activeLogs, type KnownLog } from './known-logs.js';
import { type MeshView, readMeshView } from './mesh-view.js';
import { logLineOf } from './own-cosignature.js';
import { noticeShownIdentity } from './shown-identity.js';
import {
  clearUnresolved,
  markUnresolved,
  quarantineDoubtful,
} from './unresolved-heads.js';
import type { WitnessParts } from './witness-parts.js';

const DOCUMENT_BYTES = 2_097_152;
const KEPT_BYTES = 262_144;

/** What a node remembers between rounds; a restart looks again. */
export class GossipMemory {
  readonly seenEvidence = new Set<string>();
  readonly evidenceCounts = new Map<number, number>();
  readonly anchorEnds = new Map<number, number>();
  /** Logs whose pull met a fork that nothing has explained yet. */
  readonly forks = new Set<number>();
}

/**
 * One round (spec/mesh.md §B8): every active peer's `/api/mesh` is read, and
 * every head in it and in mirrored anchors compared with what is mirrored here.
 * Each peer has its own time, beside the others': one that does not answer
 * keeps nobody else from being looked at.
 */
export async function gossipRound(
  parts: WitnessParts,
  memory: GossipMemory,
  cosigner: Cosigner,
): Promise<void> {
  const logs = await activeLogs(parts.writes);
  const heads = new HeadRound(parts, logs);
  const visits = Promise.allSettled(
    [...logs.values()].map((log) =>
      visit(hurried(parts), memory, cosigner, log, logs, heads),
    ),
  );
  for (const { originId } of logs.values()) {
    const { anchorEnds } = memory;
    heads.take(await anchoredHeads(parts.writes, originId, anchorEnds));
  }
  const ends = await visits;
  await heads.over();
  for (const { originId } of logs.values()) {
    if (heads.doubted.has(originId) || memory.forks.has(originId)) {
      await markUnresolved(parts, originId);
    } else await clearUnresolved(parts, originId);
  }
  await logEvidence(parts);
  await quarantineDoubtful(parts);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** Hears one peer, and does what its document asks for. */
async function visit(
  parts: WitnessParts,
  memory: GossipMemory,
  cosigner: Cosigner,
  log: KnownLog,
  logs: ReadonlyMap<string, KnownLog>,
  heads: HeadRound,
): Promise<void> {
  const view = await hear(parts, log);
  if (view === null) return;
  heads.take(view.heads);
  await noticeShownIdentity(parts, log.originId, view.identity);
  await resendCosignature(parts, cosigner, log, view);
  await hearEvidence(parts, memory, log, view, logs);
}

async function hear(
  { client, writes, clock, stopping }: WitnessParts,
  { baseUrl, originId }: KnownLog,
): Promise<MeshView | null> {
  const answer = await client.get(baseUrl, '/api/mesh', {
    signal: stopping,
    maxWireBytes: DOCUMENT_BYTES,
    maxInflatedBytes: DOCUMENT_BYTES,
  });
  if (!answer.ok || answer.value.status !== 200) return null;
  const { body } = answer.value;
  const text = body.toString('utf8');
  const view = readMeshView(text);
  if (view !== null && body.length <= KEPT_BYTES && !text.includes('\0')) {
    await writes.query(
      'UPDATE peer SET document = $2, document_at = $3 WHERE origin_id = $1',
      [originId, text, clock.now()],
    );
  }
  return view;
}

async function hearEvidence(
  parts: WitnessParts,
  memory: GossipMemory,
  { originId, baseUrl }: KnownLog,
  { evidenceCount }: MeshView,
  logs: ReadonlyMap<string, KnownLog>,
): Promise<void> {
  const { evidenceCounts, seenEvidence } = memory;
  if (evidenceCount === (evidenceCounts.get(originId) ?? 0)) return;
  // What could not be had, or is more than one look takes, is asked for again.
  if (await fetchEvidence(parts, baseUrl, logs, seenEvidence)) {
    evidenceCounts.set(originId, evidenceCount);
  }
}

/** Sends our newest cosignature again where its board shows an older one. */
async function resendCosignature(
  { writes, keys, board }: Pick<WitnessParts, 'writes' | 'keys' | 'board'>,
  cosigner: Cosigner,
  log: KnownLog,
  view: MeshView,
): Promise<void> {
  const [newest] = await writes.query<{
    size: number;
    line: string;
    note: string;
  }>(
    `SELECT c.size, c.line, k.note FROM log_cosignature c
       JOIN log_checkpoint k ON k.origin_id = c.origin_id AND k.size = c.size
     WHERE c.origin_id = $1 AND c.cosigner = $2
     ORDER BY c.size DESC LIMIT 1`,
    [log.originId, keys.mirror.vkey.name],
  );
  const acked = view.acked.find(({ name }) => name === board.name)?.size;
  if (newest === undefined || (acked ?? 0) >= newest.size) return;
  const head = logLineOf(newest.note, log.logVkey);
  if (head === null) return;
  await cosigner.send(log.originId, {
    body: head.body,
    log: signatureLine(head.line),
    cosignature: newest.line,
  });
}

const FIRST_LOOK = 5000;
const AT_ONCE = 500;

/**
 * Heads that a mirrored log anchors, from where the last look ended: what a
 * board cosigned and cannot deny (spec/mesh.md §B8). `ends` is kept by the
 * caller.
 */
async function anchoredHeads(
  sql: Sql,
  originId: number,
  ends: Map<number, number>,
): Promise<{ origin: string; note: string }[]> {
  const [state] = await sql.query<{ size: number }>(
    'SELECT size FROM log_state WHERE origin_id = $1',
    [originId],
  );
  const size = state?.size ?? 0;
  const from = ends.get(originId) ?? Math.max(0, size - FIRST_LOOK);
  const rows = await sql.query<{ idx: number; leaf: Buffer }>(
    `SELECT idx, leaf FROM log_entry
     WHERE origin_id = $1 AND idx >= $2 AND idx < $3 AND type = 'anchor'
       AND status = 'ok' ORDER BY idx LIMIT ${AT_ONCE}`,
    [originId, from, size],
  );
  const last = rows.length === AT_ONCE ? rows.at(-1)?.idx : undefined;
  ends.set(originId, last === undefined ? size : last + 1);
  return rows.flatMap(({ leaf }) => {
    const entry = parseEntry(leaf.toString('utf8'));
    if (!entry.ok || entry.value.type !== 'anchor') return [];
    const note = entry.value.embedded;
    const parsed = parseNote(note);
    const head = parsed.ok ? parseCheckpoint(parsed.value.text) : parsed;
    return head.ok ? [{ origin: head.value.origin, note }] : [];
  });
}
