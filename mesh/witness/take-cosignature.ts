import { equalBytes } from '../../protocol/bytes.js';
import {
  type OpenedCheckpoint,
  parseCheckpoint,
} from '../../protocol/checkpoint.js';
import { signatureLine } from '../../protocol/note.js';
import { BoardError } from '../../server/errors.js';
import { OWN_LOG } from '../../server/ledger/nodes.js';
import { raiseAlarm } from '../../server/operations/alerts.js';
import {
  type CosignRequest,
  cosignedAt,
  ownHeadIn,
  readLine,
} from './cosign-request.js';
import { rootAt } from './root-at.js';
import type { WitnessParts } from './witness-parts.js';

type Parts = Pick<WitnessParts, 'writes' | 'keys' | 'clock' | 'log' | 'board'>;
type Cosigner = { origin_id: number; mirror_vkey: string; status: string };

/**
 * Keeps a peer's cosignature of our log (spec/mesh.md §B7): the body must be a
 * checkpoint this board stored, the line an active peer's; a new one also ends
 * the back-off of pulling that peer. An unknown size is told whatever signed
 * it. A body that our own log key signed and this board never did raises
 * `own_key_compromise`.
 * @throws BoardError 400 `bad_note`, 403 `peer_not_allowed`,
 * `signature_invalid`, 404 `unknown_origin`, `not_found`
 */
export async function takeCosignature(
  parts: Parts,
  request: CosignRequest,
): Promise<void> {
  const { writes, keys, clock } = parts;
  const parsed = parseCheckpoint(request.body);
  if (!parsed.ok) throw notACheckpoint();
  if (parsed.value.origin !== keys.log.vkey.name) throw notOurs(parts);
  const head = ownHeadIn(request, keys.log.vkey);
  const root = await storedRoot(parts, parsed.value.size);
  const stored = root !== null && equalBytes(root, parsed.value.root);
  if (head !== null && !stored) await suspectOurKey(parts, head);
  const peer = await cosignerOf(parts, request);
  if (peer === null) throw notAPeer();
  if (root === null) throw neverStored(parsed.value.size);
  const line = readLine(request.cosignature);
  const time = cosignedAt(request, peer.mirror_vkey);
  if (head === null || line === null || time === null) throw badLine();
  if (!stored) throw neverStored(head.size);
  const now = clock.now();
  await writes.query(
    `WITH kept AS (
       INSERT INTO log_cosignature (origin_id, size, cosigner, vkey, line, at)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (origin_id, size, cosigner) DO NOTHING
     ), news AS (
       SELECT origin_id, retry_at FROM peer
       WHERE origin_id = $7 AND acked_size < $2 FOR UPDATE
     ), heard AS (
       -- A new one cannot be a replay: the peer lives, so it is pulled again.
       UPDATE peer p SET acked_size = $2, acked_at = $6,
         retry_at = CASE WHEN p.last_error_code = 'quota' THEN p.retry_at END
       FROM news WHERE p.origin_id = news.origin_id
     )
     SELECT pg_notify('board_peers', origin_id::text) FROM news
     WHERE retry_at IS NOT NULL`,
    [
      OWN_LOG,
      head.size,
      line.name,
      peer.mirror_vkey,
      signatureLine(line),
      now,
      peer.origin_id,
    ],
  );
}

/** The active peer whose mirror key the line names. */
async function cosignerOf(
  { writes }: Parts,
  request: CosignRequest,
): Promise<Cosigner | null> {
  const line = readLine(request.cosignature);
  if (line === null) throw badLine();
  const board = line.name.replace(/\/mirror$/, '');
  const [peer] = await writes.query<Cosigner>(
    `SELECT origin_id, mirror_vkey, status FROM peer
     WHERE name = $1 AND status = 'active'`,
    [board],
  );
  return peer ?? null;
}

async function storedRoot(
  { writes }: Parts,
  size: number,
): Promise<Uint8Array | null> {
  const [row] = await writes.query<{ root: Buffer }>(
    'SELECT root FROM log_checkpoint WHERE origin_id = $1 AND size = $2',
    [OWN_LOG, size],
  );
  return row?.root ?? null;
}

/**
 * A head under our signature that this board does not know: harmless only
 * where it says what our tree says too (its row was pruned). Answers whether
 * the alarm was raised.
 */
export async function suspectOurKey(
  { writes, clock, log }: Pick<Parts, 'writes' | 'clock' | 'log'>,
  head: Pick<OpenedCheckpoint, 'origin' | 'size' | 'root'> & { note: string },
): Promise<boolean> {
  const own = await rootAt(writes, OWN_LOG, head.size);
  if (own !== null && equalBytes(own, head.root)) return false;
  const detail =
    own === null
      ? `A head of ${head.size} entries is validly signed by this board's log key, and this board has not reached that size: its database was rolled back, or somebody else holds the key.`
      : `A head of ${head.size} entries is validly signed by this board's log key with another root than this board has: somebody else holds the key.`;
  log.error({ size: head.size, note: head.note }, 'own_key_compromise');
  await raiseAlarm(
    writes,
    { kind: 'own_key_compromise', subject: head.origin, detail },
    clock.now(),
  );
  return true;
}

function notACheckpoint(): BoardError {
  return new BoardError(
    'bad_note',
    '`body` must be the three lines of a checkpoint, each ended by LF.',
    { field: 'body' },
  );
}

function notOurs({ board }: Parts): BoardError {
  return new BoardError(
    'unknown_origin',
    `Only cosignatures of ${board.origin} are taken here.`,
  );
}

function notAPeer(): BoardError {
  return new BoardError(
    'peer_not_allowed',
    'The cosignature names no active peer of this board.',
  );
}

function badLine(): BoardError {
  return new BoardError(
    'signature_invalid',
    "The log's line or the cosignature does not verify over this body.",
  );
}

function neverStored(size: number): BoardError {
  return new BoardError(
    'not_found',
    `This board has stored no such checkpoint of ${size} entries.`,
  );
}
