import { openCheckpoint } from '../../protocol/checkpoint.js';
import { isLaterLog } from '../peers/adopt-identity.js';
import { judgeHead } from './judge-head.js';
import type { KnownLog } from './known-logs.js';
import type { Head } from './mesh-view.js';
import { vkeyOfGeneration } from './own-mirrors.js';
import { suspectOurKey } from './take-cosignature.js';
import type { WitnessParts } from './witness-parts.js';

/** What one peer may take of a round, in ms. */
const PEER_MS = 20_000;

/** The same parts for one peer, whose requests end with its time. */
export function hurried(parts: WitnessParts): WitnessParts {
  const time = AbortSignal.timeout(PEER_MS);
  return { ...parts, stopping: AbortSignal.any([parts.stopping, time]) };
}

/**
 * The heads shown in one round, judged as they come: one after the other of
 * each log, and each log beside the others and in its own time, so that a log
 * that is slow to explain itself holds up nobody else's.
 */
export class HeadRound {
  /** Logs of which a head fits nothing that is known of them. */
  readonly doubted = new Set<number>();
  private readonly seen = new Set<string>();
  private readonly lines = new Map<string, Promise<void>>();
  private readonly times = new Map<string, WitnessParts>();
  private failure: unknown = null;

  constructor(
    private readonly parts: WitnessParts,
    private readonly logs: ReadonlyMap<string, KnownLog>,
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

  /** Every head is judged; throws what went wrong here. */
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
    if (verdict === 'unresolved') this.doubted.add(log.originId);
    if (verdict === 'continues') await this.answersAgain(log);
  }

  /**
   * It has grown, and has just said so itself: no pull waits any longer. A
   * 5xx, of its guard or of a proxy before it, was no answer either.
   */
  private async answersAgain({ originId }: KnownLog): Promise<void> {
    await this.parts.writes.query(
      `WITH heard AS (
         UPDATE peer SET retry_at = NULL
         WHERE origin_id = $1 AND retry_at IS NOT NULL
           AND (last_error_code IN ('unreachable', 'timeout')
             OR last_error_code LIKE 'http_5%')
         RETURNING origin_id
       )
       SELECT pg_notify('board_peers', origin_id::text) FROM heard`,
      [originId],
    );
  }
}

type Parts = Pick<
  WitnessParts,
  'writes' | 'clock' | 'log' | 'keys' | 'guard' | 'board'
>;

/**
 * A head of our own log that another board shows: validly signed and not ours,
 * it means a rolled back database or a stolen key, so the guard looks too; as
 * does a signed head of a later generation than ours.
 */
async function suspectOurHead(parts: Parts, head: Head): Promise<void> {
  const { board, keys, guard } = parts;
  if (isLaterLog(head.origin, board.origin)) {
    const vkey = vkeyOfGeneration(keys.log.vkey, head.origin);
    if (openCheckpoint(head.note, vkey).ok) await guard.check();
    return;
  }
  if (head.origin !== board.origin) return;
  const opened = openCheckpoint(head.note, keys.log.vkey);
  if (!opened.ok || opened.value.size === 0) return;
  const { note } = head;
  const strange = await suspectOurKey(parts, { ...opened.value, note });
  if (strange) await guard.check();
}
