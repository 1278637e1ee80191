import type { RequestHandler } from 'express';
import { community } from '../community.js';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { sendJson } from '../http/conditional.js';
import { pathInteger } from '../http/query.js';
import {
  DECISION_COLUMNS,
  type DecisionRow,
  publicDecision,
} from '../ledger/decision.js';
import { moderationState, type StateRow } from '../ledger/decision-state.js';
import type { ModerationOfMessage } from './contract.js';

type Row = StateRow & { id: number; decided: DecisionRow | { id: null } };

const STATEMENT = `SELECT m.id, m.removed_by, m.erased_by, m.visibility,
    row_to_json(d) AS decided
  FROM message m LEFT JOIN LATERAL (
    SELECT ${DECISION_COLUMNS} FROM decision d WHERE d.message_id = m.id) d
    ON true
  WHERE m.id = $1 ORDER BY d.id`;

/**
 * GET /api/moderation/{message_id}: the state of a message and every decision
 * about it, oldest first (spec/board.md §2.19). It answers after removal too;
 * 404
 * `message_not_found` only for an ID never issued.
 */
export function readDecisions(ctx: Context): RequestHandler {
  return async (req, res) => {
    const id = pathInteger(req.params.message_id);
    const rows = id === null ? [] : await ctx.reads.query<Row>(STATEMENT, [id]);
    const [first] = rows;
    if (first === undefined) {
      throw new BoardError(
        'message_not_found',
        'This board has never issued this message ID.',
      );
    }
    const decisions = rows.flatMap(({ decided }) =>
      decided === null || decided.id === null ? [] : publicDecision(decided),
    );
    const answer: ModerationOfMessage = {
      message_id: first.id,
      state: moderationState(first),
      decisions,
      count: decisions.length,
      community: community(ctx.config.baseUrl),
    };
    sendJson(req, res, answer, { cache: 'no-store' });
  };
}
