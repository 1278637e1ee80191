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
import type { Tx } from '../../server/db/sql.js';
import { raiseAlarm } from '../../server/operations/alerts.js';
import type { WitnessParts } from './witness-parts.js';

/** What became of evidence: only `new` changed anything. */
export type EvidenceOutcome = 'new' | 'known' | 'foreign' | 'invalid';

type Parts = Pick<
  WitnessParts,
  'writes' | 'ledger' | 'clock' | 'log' | 'keys' | 'guard'
>;

/** Evidence this node made itself, kept as the bytes that everyone gets. */
export function keepOwnEvidence(
  parts: Parts,
  evidence: Evidence,
): Promise<EvidenceOutcome> {
  return keepEvidence(parts, utf8(formatEvidence(evidence)));
}

/**
 * Acts on evidence after verifying it, whoever it came from (spec/mesh.md §B8):
 * it is stored, the log's peer is quarantined for good, and an entry of our own
 * log names it. One piece an origin is enough; evidence about a log that is no
 * peer's, or under another key than the pinned one, is left alone.
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
    const detail = `Evidence shows two histories of ${origin} under this board's own log key: somebody else holds it, or an old backup was signed on.`;
    log.error({ origin }, 'own_key_compromise');
    const alarm = { kind: 'own_key_compromise', subject: origin } as const;
    await raiseAlarm(writes, { ...alarm, detail }, now);
    return 'foreign';
  }
  const outcome = await writes.transaction((tx) =>
    store(tx, { origin, logVkey, bytes, now }),
  );
  if (outcome === 'new') {
    log.error({ origin }, 'a peer signed two histories: quarantined');
    const detail = `${origin} signed two histories; its peer is quarantined for good.`;
    await raiseAlarm(
      writes,
      { kind: 'equivocation', subject: origin, detail },
      now,
    );
    await logEvidence(parts);
  }
  return outcome;
}

type Kept = { origin: string; logVkey: string; bytes: Uint8Array; now: number };

async function store(
  tx: Tx,
  { origin, logVkey, bytes, now }: Kept,
): Promise<EvidenceOutcome> {
  // The row is the lock: two workers may find the same thing at once.
  const [peer] = await tx.query<{ origin_id: number }>(
    `SELECT origin_id FROM peer WHERE origin = $1 AND log_vkey = $2
     FOR UPDATE`,
    [origin, logVkey],
  );
  if (peer === undefined) return 'foreign';
  const [known] = await tx.query('SELECT 1 FROM evidence WHERE origin = $1', [
    origin,
  ]);
  await tx.query(
    `UPDATE peer SET status = 'quarantined', status_reason = 'equivocation',
       status_at = $2, rolled_back_since = NULL, unresolved_since = NULL
     WHERE origin_id = $1 AND status = 'active'`,
    [peer.origin_id, now],
  );
  if (known !== undefined) return 'known';
  const text = fromUtf8(bytes) ?? '';
  await tx.query(
    `INSERT INTO evidence (sha256, origin, kind, bytes, at)
     VALUES ($1, $2, $3, $4, $5)`,
    [
      Buffer.from(evidenceHash(text)),
      origin,
      EQUIVOCATION,
      Buffer.from(bytes),
      now,
    ],
  );
  return 'new';
}

/**
 * Appends the entries of evidence that our log does not name yet; while the
 * log is closed to writes they wait for the next round.
 */
export async function logEvidence({
  writes,
  ledger,
  guard,
}: Pick<Parts, 'writes' | 'ledger' | 'guard'>): Promise<void> {
  if (guard.closed !== null) return;
  const due = await writes.query<{ sha256: Buffer }>(
    'SELECT sha256 FROM evidence WHERE own_log_index IS NULL ORDER BY at',
  );
  for (const { sha256 } of due) {
    await ledger.append(async (turn) => {
      const [row] = await turn.tx.query<{ origin: string; kind: string }>(
        `SELECT origin, kind FROM evidence
         WHERE sha256 = $1 AND own_log_index IS NULL`,
        [sha256],
      );
      if (row === undefined) return () => undefined;
      const index = turn.append({
        type: 'evidence',
        at: turn.at,
        ...row,
        evidence: sha256,
      });
      await turn.tx.query(
        'UPDATE evidence SET own_log_index = $2 WHERE sha256 = $1',
        [sha256, index],
      );
      return () => undefined;
    });
  }
}
