import type { Content } from '../../../protocol/content.js';
import { hashesOfPlan, inclusionPlan } from '../../../protocol/plan.js';
import type { Proof, ProvenLeaf } from '../../../protocol/proof.js';
import type { Sql } from '../../db/sql.js';
import { lookupIn, OWN_LOG, readHashes } from '../../ledger/nodes.js';
import type { ProofFacts } from './proof-facts.js';

type Leaf = { index: number; leaf: Buffer };

/** Both leaves' inclusion under one checkpoint, in one statement. */
async function prove(
  sql: Sql,
  originId: number,
  leaves: readonly Leaf[],
  size: number,
): Promise<ProvenLeaf[]> {
  const plans = leaves.map(({ index }) => inclusionPlan(index, size));
  const coords = plans.flat(2);
  const lookup = lookupIn(await readHashes(sql, originId, coords));
  return leaves.map(({ index, leaf }, at) => ({
    index,
    leaf: leaf.toString('utf8'),
    inclusion: hashesOfPlan(plans[at] ?? [], lookup),
  }));
}

/** A removal takes the text and its salt together, or neither. */
function contentOf(facts: ProofFacts): Content | null {
  const { salt, author, title, body, poll } = facts;
  if (salt === null || author === null || body === null) return null;
  return {
    salt,
    name: author,
    ...(title === null ? {} : { title }),
    body,
    ...(poll === null ? {} : { poll }),
  };
}

/**
 * The proof of a signed message in its present state (spec/mesh.md §B5). Leaf
 * and inclusion stay provable after removal; the text is then null. `originId`
 * is the log that holds it: the board's own, or a mirrored one.
 */
export async function assembleProof(
  sql: Sql,
  messageId: number,
  facts: ProofFacts & { agent_id: string },
  originId = OWN_LOG,
): Promise<Proof> {
  const { removal_index, removal_leaf } = facts;
  const leaves = [{ index: facts.log_index, leaf: facts.leaf }];
  if (removal_index !== null && removal_leaf !== null) {
    leaves.push({ index: removal_index, leaf: removal_leaf });
  }
  const [post, removal] = await prove(sql, originId, leaves, facts.size);
  if (post === undefined) throw new Error('a leaf was not proven');
  return {
    state: removal === undefined ? 'published' : 'removed',
    board: facts.board,
    origin: facts.origin,
    logVkey: facts.log_vkey,
    messageId,
    agentId: facts.agent_id,
    keySeq: facts.key_seq ?? 0,
    keys: facts.keys,
    ...post,
    content: contentOf(facts),
    checkpoint: facts.checkpoint,
    cosigners: facts.cosigners ?? [],
    ...(removal === undefined ? {} : { removal }),
  };
}
