import { IsNull } from 'typeorm';
import { fromUtf8, utf8 } from '../../protocol/bytes.js';
import {
  EQUIVOCATION,
  type Evidence,
  evidenceHash,
  formatEvidence,
  parseEvidence,
  verifyEvidence,
} from '../../protocol/evidence.js';
import { formatVkey } from '../../protocol/vkey.js';
import { Evidence as EvidenceRow } from '../../server/db/entities/mirror.js';
import { Peer } from '../../server/db/entities/peer.js';
import { PULLABLE } from '../../server/db/pullable.js';
import type { Tx } from '../../server/db/sql.js';
import { raiseAlert } from '../../server/operations/index.js';
import { updatePeers } from '../peers/update-peers.js';
import { quarantineText, twoHistories } from './alert-operators.js';
import type { WitnessParts } from './known-logs.js';

/** Needs no requests. */
type Parts = Omit<WitnessParts, 'client'>;

/** Only `new` changed anything. */
type EvidenceOutcome = 'new' | 'known' | 'foreign' | 'invalid';

export function keepOwnEvidence(
  parts: Parts,
  evidence: Evidence,
): Promise<EvidenceOutcome> {
  return keepEvidence(parts, utf8(formatEvidence(evidence)));
}

/**
 * Verifies evidence, stores it, quarantines the peer for good and logs an entry
 * (spec/mesh.md §B8). One per origin; unknown logs and keys are ignored.
 */
export async function keepEvidence(
  parts: Parts,
  bytes: Uint8Array,
): Promise<EvidenceOutcome> {
  const parsed = parseEvidence(bytes);
  if (!parsed.ok || !verifyEvidence(parsed.value)) return 'invalid';
  const { origin, logVkey } = parsed.value;
  const { writes, clock, keys, log } = parts;
  const now = clock.now();
  if (logVkey === formatVkey(keys.log.vkey)) {
    const detail = twoHistories(origin);
    log.error({ origin }, 'own_key_compromise');
    const kind = 'own_key_compromise';
    await raiseAlert(writes, { kind, subject: origin, detail }, now);
    return 'foreign';
  }
  const kept = { origin, logVkey, bytes, now };
  const outcome = await writes.transaction((tx) => store(tx, kept));
  if (outcome === 'new') {
    log.error({ origin }, 'a peer signed two histories: quarantined');
    const kind = 'equivocation';
    const detail = quarantineText(kind, origin);
    await raiseAlert(writes, { kind, subject: origin, detail }, now);
    await logEvidence(parts);
  }
  return outcome;
}

type Kept = { origin: string; logVkey: string; bytes: Uint8Array; now: number };

async function store(
  tx: Tx,
  { origin, logVkey, bytes, now }: Kept,
): Promise<EvidenceOutcome> {
  // The row is the lock for parallel workers.
  const peer = await tx.manager.findOne(Peer, {
    select: { originId: true },
    where: { origin, logVkey },
    lock: { mode: 'pessimistic_write' },
  });
  if (peer === null) return 'foreign';
  const { originId } = peer;
  const known = await tx.manager.existsBy(EvidenceRow, { origin });
  await updatePeers(
    tx,
    { originId, ...PULLABLE },
    {
      status: 'quarantined',
      statusReason: 'equivocation',
      statusAt: now,
      rolledBackSince: null,
      unresolvedSince: null,
    },
  );
  if (known) return 'known';
  await tx.manager.insert(EvidenceRow, {
    sha256: Buffer.from(evidenceHash(fromUtf8(bytes) ?? '')),
    origin,
    kind: EQUIVOCATION,
    bytes: Buffer.from(bytes),
    at: now,
  });
  return 'new';
}

/** Evidence without an entry yet; waits while the log is closed. */
export async function logEvidence(parts: Parts): Promise<void> {
  const { writes, ledger, guard } = parts;
  if (guard.closed !== null) return;
  const due = await writes.manager.find(EvidenceRow, {
    select: { sha256: true },
    where: { ownLogIndex: IsNull() },
    order: { at: 'ASC' },
  });
  for (const { sha256 } of due) {
    await ledger.append(async (context) => {
      const { manager } = context.tx;
      const row = await manager.findOne(EvidenceRow, {
        select: { sha256: true, origin: true, kind: true },
        where: { sha256, ownLogIndex: IsNull() },
      });
      if (row === null) return () => undefined;
      const { origin, kind } = row;
      const about = { origin, kind, evidence: sha256 };
      const entry = { type: 'evidence', at: context.at, ...about } as const;
      const index = context.append(entry);
      await manager.update(EvidenceRow, { sha256 }, { ownLogIndex: index });
      return () => undefined;
    });
  }
}
