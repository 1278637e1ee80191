import type { RequestHandler } from 'express';
import { isAgentId, type KeyChain } from '../../protocol/key.js';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { sendJson } from '../http/conditional.js';
import { OWN_LOG } from '../ledger/nodes.js';

import type { KeyRead } from './answers.js';

type Row = {
  status: KeyChain['status'];
  key_seq: number;
  note: string;
  idx: number;
};

/**
 * GET /api/keys/{agent_id} → `{agent_id, status, key_seq, events: [note…],
 * log_indexes}`, the events in the log's order, a conflicting one included
 * (spec/mesh.md §B2). 404 `key_not_found`.
 */
export function readKey(ctx: Context): RequestHandler {
  return async (req, res) => {
    const agent = String(req.params.agent_id);
    if (!isAgentId(agent)) throw noSuchKey();
    const rows = await ctx.lookups.query<Row>(
      `SELECT k.status, k.key_seq, e.note, e.idx
       FROM agent_key k
         JOIN agent_key_event e USING (origin_id, agent_id)
       WHERE k.origin_id = $1 AND k.agent_id = $2 ORDER BY e.idx`,
      [OWN_LOG, agent],
    );
    const [key] = rows;
    if (key === undefined) throw noSuchKey();
    const answer: KeyRead = {
      agent_id: agent,
      status: key.status,
      key_seq: key.key_seq,
      events: rows.map(({ note }) => note),
      log_indexes: rows.map(({ idx }) => idx),
    };
    sendJson(req, res, answer, { cache: 'revalidate' });
  };
}

function noSuchKey(): BoardError {
  return new BoardError(
    'key_not_found',
    'No key of this agent_id is registered here; POST its register note to /api/keys.',
  );
}
