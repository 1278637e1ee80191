import { Between } from 'typeorm';
import { parseLogOrigin } from '../../protocol/board-name.js';
import { parseEntry, readAnchor } from '../../protocol/entry.js';
import { LogEntry } from '../../server/db/entities/log.js';
import { Peer } from '../../server/db/entities/peer.js';
import type { Sql } from '../../server/db/sql.js';
import { serves } from '../peer-port.js';
import { noticeShownIdentity } from '../peers/adopt-identity.js';
import { keptDocument, type ListedPeer } from '../peers/listed-peers.js';
import {
  type Head,
  headsOf,
  type MeshView,
  PAGES_MAX,
  type PageView,
  readMeshView,
  readPageView,
} from './ask-peer.js';
import { type Cosigner, newestCosigned } from './cosigner.js';
import { fetchEvidence } from './fetch-evidence.js';
import { judgeHead } from './judge-head.js';
import { logEvidence } from './keep-evidence.js';
import {
  activeLogs,
  type KnownLog,
  logSize,
  type WitnessParts,
} from './known-logs.js';
import { suspectOurHead } from './own-log-conflict.js';
import {
  clearUnresolved,
  markUnresolved,
  quarantineUnresolved,
} from './unresolved-heads.js';
import { endSilence } from './witness.sql.js';

/** A peer's time in a round, in ms. */
const PEER_MS = 20_000;

/** Requests end with the peer's time. */
function hurried(parts: WitnessParts): WitnessParts {
  const time = AbortSignal.timeout(PEER_MS);
  return { ...parts, stopping: AbortSignal.any([parts.stopping, time]) };
}

/** In sequence per log, logs in parallel: a slow log delays no other. */
class HeadRound {
  /** Logs with a head that fits nothing known. */
  readonly unresolved = new Set<number>();
  private readonly seen = new Set<string>();
  private readonly lines = new Map<string, Promise<void>>();
  private readonly times = new Map<string, WitnessParts>();
  private failure: unknown = null;

  constructor(
    private readonly parts: WitnessParts,
    readonly logs: ReadonlyMap<string, KnownLog>,
  ) {}

  take(heads: readonly Head[]): void {
    for (const head of heads) {
      if (this.seen.has(head.note)) continue;
      this.seen.add(head.note);
      const before = this.lines.get(head.origin) ?? Promise.resolve();
      const mine = before
        .then(() => this.judge(head))
        .catch((error: unknown) => {
          this.failure ??= error;
        });
      this.lines.set(head.origin, mine);
    }
  }

  /** Resolves when all are judged; throws local faults. */
  async over(): Promise<void> {
    await Promise.all(this.lines.values());
    if (this.failure !== null) throw this.failure;
  }

  private async judge(head: Head): Promise<void> {
    const { origin, note } = head;
    await suspectOurHead(this.parts, head);
    const log = this.logs.get(origin);
    if (log === undefined) return;
    const parts = this.times.get(origin) ?? hurried(this.parts);
    this.times.set(origin, parts);
    const verdict = await judgeHead(parts, log, note);
    if (verdict === 'unresolved') this.unresolved.add(log.originId);
    if (verdict === 'continues') {
      await endSilence(this.parts.writes, log.originId);
    }
  }
}

const DOCUMENT_BYTES = 2_097_152;

/** Of a page of `/api/mesh/peers`. */
const PAGE_BYTES = 262_144;

const NO_ANSWER = { status: 0, body: Buffer.alloc(0), etag: undefined };

/** In memory: lost with the process. */
export class GossipMemory {
  readonly seenEvidence = new Set<string>();
  readonly evidenceCounts = new Map<number, number>();
  /** Of these boards rows of pages are kept: ours, and those of peers. */
  private names: ReadonlySet<string> = new Set();
  /** Last versions, by board and number. */
  readonly pages = new Map<string, { etag: string; page: PageView }>();
  readonly anchorEnds = new Map<number, number>();
  /** With a fork that nothing has explained yet. */
  readonly forks = new Set<number>();

  /** Kept pages lack the rows of a board that becomes known. */
  know(names: readonly string[]): void {
    const before = this.names;
    this.names = new Set(names);
    const isSame = [...this.names].every((name) => before.has(name));
    if (!isSame || this.names.size < before.size) this.pages.clear();
  }

  knows({ name, origin }: ListedPeer): boolean {
    const { names } = this;
    return names.has(name) || names.has(parseLogOrigin(origin)?.name ?? '');
  }
}

/**
 * Reads all active peers' `/api/mesh` and compares every head, and mirrored
 * anchors, with what is mirrored (spec/mesh.md §B8). A silent peer delays no
 * other.
 */
export async function gossipRound(
  parts: WitnessParts,
  memory: GossipMemory,
  cosigner: Cosigner,
): Promise<void> {
  const logs = await activeLogs(parts.writes);
  const heads = new HeadRound(parts, logs);
  const select = { originId: true, name: true } as const;
  const peers = await parts.writes.manager.find(Peer, { select });
  memory.know([parts.board.name, ...peers.map(({ name }) => name)]);
  const visits = Promise.allSettled(
    [...logs.values()].map((log) =>
      visit(hurried(parts), memory, cosigner, log, heads),
    ),
  );
  for (const { originId } of logs.values()) {
    const { anchorEnds } = memory;
    heads.take(await anchoredHeads(parts.writes, originId, anchorEnds));
  }
  const ends = await visits;
  await heads.over();
  for (const { originId } of logs.values()) {
    if (heads.unresolved.has(originId) || memory.forks.has(originId)) {
      await markUnresolved(parts, originId);
    } else await clearUnresolved(parts, originId);
  }
  await logEvidence(parts);
  await quarantineUnresolved(parts);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

async function visit(
  parts: WitnessParts,
  memory: GossipMemory,
  cosigner: Cosigner,
  log: KnownLog,
  heads: HeadRound,
): Promise<void> {
  const { evidenceCounts, seenEvidence } = memory;
  const view = await readDocument(parts, log);
  if (view === null) return;
  const { originId, baseUrl } = log;
  const { evidenceCount, level } = view;
  heads.take(headsShown(view));
  await noticeShownIdentity(parts, originId, view.identity);
  for await (const page of pagesBehind(parts, memory, log, view)) {
    heads.take(headsOf(page.peers));
    view.peers.push(...page.peers);
  }
  const { writes, clock } = parts;
  const document = keptDocument(view.messages, view.peers, (peer) =>
    memory.knows(peer),
  );
  const kept = { level, document, documentAt: clock.now() };
  await writes.manager.update(Peer, { originId }, kept);
  if (serves(view, 'witness')) {
    await resendCosignature(parts, cosigner, log, view);
  }
  if (!serves(view, 'mirror')) return;
  if (evidenceCount === (evidenceCounts.get(originId) ?? 0)) return;
  // Unfinished: again in the next round.
  if (await fetchEvidence(parts, baseUrl, heads.logs, seenEvidence)) {
    evidenceCounts.set(originId, evidenceCount);
  }
}

async function readDocument(
  { client, stopping }: WitnessParts,
  { baseUrl }: KnownLog,
): Promise<MeshView | null> {
  const answer = await client.get(baseUrl, '/api/mesh', {
    signal: stopping,
    maxBytes: DOCUMENT_BYTES,
  });
  if (!answer.ok || answer.value.status !== 200) return null;
  return readMeshView(answer.value.body);
}

/** One head of each log: a document has its own log's twice where it lists it. */
function headsShown({ own, peers }: MeshView): Head[] {
  const heads = new Map<string, Head>();
  for (const head of [...(own === null ? [] : [own]), ...headsOf(peers)]) {
    if (!heads.has(head.origin)) heads.set(head.origin, head);
  }
  return [...heads.values()];
}

/** Pages behind its document's list; rows of one that did not come are as before. */
async function* pagesBehind(
  { client, stopping }: WitnessParts,
  memory: GossipMemory,
  { baseUrl, originId }: KnownLog,
  view: MeshView,
): AsyncGenerator<PageView> {
  const { pages } = memory;
  let { next } = view;
  for (let read = 0; next !== null && read < PAGES_MAX; read += 1) {
    // Its path moves with the heads before it.
    const place = `${originId} ${read}`;
    const known = pages.get(place);
    const answer = await client.get(baseUrl, next, {
      signal: stopping,
      maxBytes: PAGE_BYTES,
      etag: known?.etag,
    });
    const { status, body, etag } = answer.ok ? answer.value : NO_ANSWER;
    const isSame = known !== undefined && status === 304;
    const fresh = status === 200 ? readPageView(body) : null;
    const page = isSame ? known.page : fresh;
    if (page === null) {
      // Not yielded: their heads are not shown now.
      for (let at = read; at < PAGES_MAX; at += 1) {
        const last = pages.get(`${originId} ${at}`)?.page.peers ?? [];
        view.peers.push(...last);
      }
      return;
    }
    if (!isSame && etag !== undefined) {
      const peers = page.peers.filter((peer) => memory.knows(peer));
      pages.set(place, { etag, page: { ...page, peers } });
    }
    yield page;
    next = page.next;
  }
}

async function resendCosignature(
  { writes, keys, board }: Pick<WitnessParts, 'writes' | 'keys' | 'board'>,
  cosigner: Cosigner,
  log: KnownLog,
  view: MeshView,
): Promise<void> {
  const newest = await newestCosigned(writes, log, keys.mirror.vkey.name);
  const own = view.peers.find(({ name }) => name === board.name);
  if (newest === null || (own?.acked_size ?? 0) >= newest.size) return;
  await cosigner.send(log.originId, newest.lines);
}

const FIRST_LOOK = 5000;
const AT_ONCE = 500;

/** Its board cosigned them (§B8). `ends`: where the last look ended. */
async function anchoredHeads(
  sql: Sql,
  originId: number,
  ends: Map<number, number>,
): Promise<Head[]> {
  const size = await logSize(sql, originId);
  const from = ends.get(originId) ?? Math.max(0, size - FIRST_LOOK);
  const rows = await sql.manager.find(LogEntry, {
    select: { originId: true, idx: true, leaf: true },
    where: {
      originId,
      idx: Between(from, size - 1),
      type: 'anchor',
      status: 'ok',
    },
    order: { idx: 'ASC' },
    take: AT_ONCE,
  });
  const last = rows.length === AT_ONCE ? rows.at(-1)?.idx : undefined;
  ends.set(originId, last === undefined ? size : last + 1);
  return rows.flatMap(({ leaf }) => {
    const entry = parseEntry(leaf.toString('utf8'));
    if (!entry.ok || entry.value.type !== 'anchor') return [];
    const note = entry.value.embedded;
    const head = readAnchor(note);
    return head.ok ? [{ origin: head.value.origin, note }] : [];
  });
}
