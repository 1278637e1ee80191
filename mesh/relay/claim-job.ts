import { contentToJson } from '../../protocol/content.js';
import type { Context } from '../../server/context.js';
import {
  blockedLimit,
  boardKey,
  checkColumns,
} from '../../server/db/budgets.js';
import type { Turn } from '../../server/ledger/append-context.js';
import { type Job, LATER } from '../../server/ledger/batch.js';
import { readKeyState } from '../../server/ledger/key-state.js';
import { OWN_LOG } from '../../server/ledger/nodes.js';
import { refuse } from '../../server/moderation/record-decision.js';
import { requestConflict } from '../../server/posting/receipt.js';
import { keyRefusal } from '../../server/posting/signed-note.js';
import {
  budgetRefusal,
  payers,
  writeChecks,
  writeSpends,
} from '../../server/posting/write-budgets.js';
import type { ForeignPost } from '../mesh-ports.js';
import { HOLD_MS } from './outbox.js';
import {
  findOutboxRow,
  type NetworkTags,
  type OutboxRow,
  storePending,
} from './outbox-rows.js';

/**
 * Takes a post for another board under the head lock, though it appends
 * nothing: there one request_id becomes one message only, here or elsewhere,
 * and the networks' budgets are checked and spent. Answers a row that was
 * there before, pending or published; null once the post is taken.
 */
export function claimJob(
  ctx: Context,
  post: ForeignPost,
  tags: NetworkTags,
): Job<OutboxRow | null> {
  return async (turn) => {
    if (turn.isClaimed(post.requestId)) return LATER;
    const { tx, now } = turn;
    if (await isOwn(turn, post.requestId)) {
      return refuse(requestConflict(post.requestId));
    }
    const known = await findOutboxRow(tx, post.requestId);
    if (known !== null && known.state !== 'failed') return () => known;
    const key = await readKeyState(tx, OWN_LOG, post.agentId);
    const refusal = keyRefusal(key, post.keySeq);
    if (refusal !== null) return refuse(refusal);
    const paying = payers(post.counters, post.previewCounters, null, now);
    const checks = writeChecks(paying, post.isTopic).filter(
      // The message is new on the other board, which counts it there.
      ({ limit }) => limit !== 'writes_per_board_minute',
    );
    const [row] = await tx.query<{ blocked: (number | null)[] }>(
      'SELECT budget_take_all($1, $2, $3, $4, $5, $6) AS blocked',
      [...checkColumns(checks, ctx.limits, now), now],
    );
    const blocked = blockedLimit(checks, row?.blocked ?? [], now);
    if (blocked !== null) {
      return refuse(budgetRefusal(blocked, ctx.config.baseUrl));
    }
    await storePending(tx, {
      post,
      content: contentToJson(post.content),
      tags,
      spends: writeSpends(paying, post.isTopic).filter(
        ({ key }) => key !== boardKey.today,
      ),
      now,
      nextAt: now + HOLD_MS,
    });
    return () => null;
  };
}

async function isOwn({ tx }: Turn, requestId: string): Promise<boolean> {
  const rows = await tx.query(
    'SELECT 1 AS own FROM write_request WHERE request_id = $1',
    [requestId],
  );
  return rows.length > 0;
}
