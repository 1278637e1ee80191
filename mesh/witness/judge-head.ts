import { equalBytes, toBase64 } from '../../protocol/bytes.js';
import {
  type OpenedCheckpoint,
  openCheckpoint,
} from '../../protocol/checkpoint.js';
import {
  type ConsistencyPrefix,
  carrierOf,
  consistencyPrefix,
  verifyConsistency,
} from '../../protocol/consistency.js';
import type { Evidence } from '../../protocol/evidence.js';
import { formatNote, isLineOf } from '../../protocol/note.js';
import { consistencyPlan, hashesOfPlan } from '../../protocol/plan.js';
import { foldRoots, leafHash } from '../../protocol/tree.js';
import { lookupIn, readHashes } from '../../server/ledger/own-log.sql.js';
import { fetchPage } from '../pull/fetch/fetch-page.js';
import type { PullSource } from '../pull/hooks.js';
import { askConsistency } from './ask-peer.js';
import { keepOwnEvidence } from './keep-evidence.js';
import {
  type KnownLog,
  logSize,
  rootAt,
  signedHead,
  type WitnessParts,
} from './known-logs.js';

/** `continues`: proven. `unresolved`: no proof of a fork yet. */
type HeadVerdict =
  | 'ignored'
  | 'fits'
  | 'continues'
  | 'equivocation'
  | 'unresolved'
  | 'unreachable';

/**
 * Up to our size by our own nodes, beyond by the log's consistency proof
 * (spec/mesh.md §B8). A proven fork becomes evidence and quarantines the peer.
 */
export async function judgeHead(
  parts: WitnessParts,
  log: KnownLog,
  note: string,
  source: PullSource = log,
): Promise<HeadVerdict> {
  const opened = openCheckpoint(note, log.vkey);
  if (!opened.ok || opened.value.size === 0) return 'ignored';
  const head = opened.value;
  const own = await rootAt(parts.writes, log.originId, head.size);
  if (own === null) return await judgeAhead(parts, log, head, source);
  if (equalBytes(own, head.root)) return 'fits';
  const evidence = await evidenceWithin(parts, log, head, own);
  return await concluded(parts, evidence);
}

async function concluded(parts: WitnessParts, evidence: Evidence | null) {
  if (evidence === null) return 'unresolved';
  const outcome = await keepOwnEvidence(parts, evidence);
  return outcome === 'invalid' ? 'unresolved' : 'equivocation';
}

/** Without strangers' lines, which could exceed evidence's bytes. */
function bare(head: OpenedCheckpoint, { vkey }: KnownLog): string {
  const { text, signatures } = head.note;
  const own = signatures.filter((line) => isLineOf(line, vkey));
  return formatNote({ text, signatures: own });
}

/** Our own nodes prove the contradiction. */
async function evidenceWithin(
  { writes }: WitnessParts,
  log: KnownLog,
  head: OpenedCheckpoint,
  own: Uint8Array,
): Promise<Evidence | null> {
  const { origin, logVkey, originId } = log;
  const base = { origin, logVkey };
  const second = bare(head, log);
  const same = await signedHead(writes, originId, 'at', head.size);
  if (same !== null) return { ...base, first: same.note, second };
  const above = await signedHead(writes, originId, 'above', head.size);
  if (above === null) return null;
  const plan = consistencyPlan(head.size, above.size);
  const hashes = await readHashes(writes, originId, plan.flat());
  const consistency = hashesOfPlan(plan, lookupIn(hashes));
  const prefix = { root: own, consistency };
  return { ...base, first: second, second: above.note, prefix };
}

/** The log has to connect the head with ours. */
async function judgeAhead(
  parts: WitnessParts,
  log: KnownLog,
  head: OpenedCheckpoint,
  source: PullSource,
): Promise<HeadVerdict> {
  const { writes } = parts;
  const size = await logSize(writes, log.originId);
  if (size === 0) return 'fits'; // every log continues an empty one
  const root = await rootAt(writes, log.originId, size);
  const ask = (from: number) =>
    askConsistency(parts.client, source, from, head.size, parts.stopping);
  const proof = await ask(size);
  if (proof === 'unreachable') return 'unreachable';
  if (root === null) return 'ignored';
  if (
    proof !== 'refused' &&
    verifyConsistency(size, head.size, root, head.root, proof)
  ) {
    return 'continues';
  }
  if (proof === 'refused') {
    const led = await feedLeads(parts, log, source, { size, root }, head);
    if (led !== 'elsewhere') return led;
  }
  const { originId } = log;
  const older = await signedHead(writes, originId, 'upTo', size);
  if (older === null) return 'unresolved';
  const claim =
    older.size <= 2 || proof === 'refused'
      ? await claimOfFeed(parts, log, source, older.size)
      : await claimOfProof(older.size, head, ask);
  if (claim === null) return 'unresolved';
  return await concluded(parts, {
    origin: log.origin,
    logVkey: log.logVkey,
    first: older.note,
    second: bare(claim.head, log),
    prefix: claim.prefix,
  });
}

type Claim = { head: OpenedCheckpoint; prefix: ConsistencyPrefix };

async function claimOfProof(
  size: number,
  head: OpenedCheckpoint,
  ask: (from: number) => ReturnType<typeof askConsistency>,
): Promise<Claim | null> {
  const proof = await ask(carrierOf(size));
  if (typeof proof === 'string') return null;
  const prefix = consistencyPrefix(size, head.size, proof);
  return prefix && { head, prefix };
}

const SILENCE = /^(?:unreachable|timeout|http_(?:429|5\d\d))$/;

type Place = { size: number; root: Uint8Array };

/** A page of a feed: its proof leads from its end to the head that it shows. */
async function pageOf(
  { client, stopping }: WitnessParts,
  { vkey }: KnownLog,
  source: PullSource,
  { from, end }: { from: number; end: number },
) {
  const part = { from, limit: end - from, content: 'none', wait: 0 } as const;
  const wish = { source, logVkey: vkey, ...part };
  const fetched = await fetchPage(client, wish, stopping);
  if (!fetched.ok && SILENCE.test(fetched.reason)) return 'unreachable';
  if (!fetched.ok || fetched.value.to !== end) return null;
  const opened = openCheckpoint(fetched.value.checkpoint, vkey);
  return opened.ok ? { ...fetched.value, head: opened.value } : null;
}

/**
 * Where the feed of a log that gives no proofs leads from our head: its pages
 * that end there and at another head prove both to one.
 */
async function feedLeads(
  parts: WitnessParts,
  log: KnownLog,
  source: PullSource,
  ours: Place,
  head: Place,
): Promise<'continues' | 'elsewhere' | 'unreachable'> {
  const ends: Place[] = [];
  for (const { size, root } of [ours, head]) {
    const range = { from: size - 1, end: size };
    const page = await pageOf(parts, log, source, range);
    if (page === 'unreachable') return page;
    if (page === null) return 'elsewhere';
    const { consistency, head: to } = page;
    if (!verifyConsistency(size, to.size, root, to.root, consistency)) {
      return 'elsewhere';
    }
    ends.push(to);
  }
  // A log that grew between both is asked again in the next round.
  const [one, two] = ends.map((end) => `${end.size} ${toBase64(end.root)}`);
  return one === two ? 'continues' : 'elsewhere';
}

/** For logs without proofs, and first sizes: by a page of the feed. */
async function claimOfFeed(
  parts: WitnessParts,
  log: KnownLog,
  source: PullSource,
  size: number,
): Promise<Claim | null> {
  const end = carrierOf(size);
  const from = size <= 2 ? 0 : end - 1;
  const page = await pageOf(parts, log, source, { from, end });
  if (page === null || page === 'unreachable') return null;
  if (page.head.size <= size) return null;
  const { head, consistency, entries } = page;
  if (size > 2) {
    const prefix = consistencyPrefix(size, head.size, consistency);
    return prefix && { head, prefix };
  }
  const root = foldRoots(entries.map(({ leaf }) => leafHash(leaf)));
  return { head, prefix: { root, consistency } };
}
