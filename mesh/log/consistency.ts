import type { RequestHandler } from 'express';
import { toBase64 } from '../../protocol/bytes.js';
import { consistencyPlan, hashesOfPlan } from '../../protocol/plan.js';
import type { Context } from '../../server/context.js';
import { BoardError } from '../../server/errors.js';
import { sendJson } from '../../server/http/conditional.js';
import { lookupIn, readTree } from '../../server/ledger/nodes.js';
import type { ConsistencyProof } from './contract.js';
import type { LogOf } from './log-of.js';
import { requiredInteger } from './required-integer.js';

function outOfRange(field: string, detail: string): BoardError {
  return new BoardError('invalid_input', detail, { field });
}

/** GET {log}/consistency?from&to → {from, to, hashes} (RFC 6962 2.1.2). */
export function consistency(ctx: Context, logOf: LogOf): RequestHandler {
  return async (req, res) => {
    const from = requiredInteger(req, 'from');
    const to = requiredInteger(req, 'to');
    if (from > to) {
      throw outOfRange('from', '`from` must not be larger than `to`.');
    }
    const plan = consistencyPlan(from, to);
    const { originId } = logOf(req);
    const tree = await readTree(ctx.lookups, originId, plan.flat());
    if (to > tree.size) {
      throw outOfRange(
        'to',
        `\`to\` must not be larger than the log, which has ${tree.size} entries.`,
      );
    }
    const hashes = hashesOfPlan(plan, lookupIn(tree.hashes)).map(toBase64);
    const answer: ConsistencyProof = { from, to, hashes };
    sendJson(req, res, answer, { cache: 'revalidate' });
  };
}
