import { rootPlan } from '../../protocol/plan.js';
import { foldRoots } from '../../protocol/tree.js';
import type { Sql } from '../../server/db/sql.js';
import { lookupIn, readTree } from '../../server/ledger/nodes.js';

/**
 * The root that a log kept here had at a size; null where it has not reached
 * that size. Recomputed from its nodes, never taken from anyone's word.
 */
export async function rootAt(
  sql: Sql,
  originId: number,
  size: number,
): Promise<Uint8Array | null> {
  const plan = rootPlan(size);
  const tree = await readTree(sql, originId, plan);
  if (tree.size < size) return null;
  return foldRoots(plan.map(lookupIn(tree.hashes)));
}
