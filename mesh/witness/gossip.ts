import { anchoredHeads } from './anchored-heads.js';
import type { Cosigner } from './cosigner.js';
import {
  clearUnresolved,
  markUnresolved,
  quarantineDoubtful,
} from './unresolved-heads.js';
import { fetchEvidence } from './fetch-evidence.js';
import { HeadRound, hurried } from './head-round.js';
import { logEvidence } from './keep-evidence.js';
import { activeLogs, type KnownLog } from './known-logs.js';
import { type MeshView, readMeshView } from './mesh-view.js';
import { resendCosignature } from './resend-cosignature.js';
import { noticeShownIdentity } from './shown-identity.js';
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
