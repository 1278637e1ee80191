import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Content } from '../../../protocol/content.js';
import { hashesOfPlan, inclusionPlan } from '../../../protocol/plan.js';
import {
  formatTlogProof,
  type Proof,
  type ProvenLeaf,
  proofToJson,
} from '../../../protocol/proof.js';
import type { Sql } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import {
  JSON_TYPE,
  sendBytes,
  setHeaders,
  TEXT_TYPE,
} from '../../http/send.js';
import { lookupIn, OWN_LOG, readHashes } from '../../ledger/own-log.sql.js';
import type { ProofForm } from './answers.js';
import type { ProofFacts } from './proof-facts.sql.js';

type Leaf = { index: number; leaf: Buffer };

/** Both leaves under one checkpoint, in one statement. */
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

/** A removal takes text and salt together. */
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

/** Provable after removal, then without text (spec/mesh.md §B5). */
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

/** JSON, or inclusion as C2SP text. The entity tag is the SHA-256. */
export function sendProof(
  req: Request,
  res: Response,
  proof: Proof,
  form: ProofForm,
): void {
  if (form === undefined) {
    send(req, res, JSON.stringify(proofToJson(proof)), JSON_TYPE);
    return;
  }
  setHeaders(req, res, 'text');
  const { index, inclusion, checkpoint } = proof;
  const text = formatTlogProof({ index, inclusion, checkpoint });
  send(req, res, text, TEXT_TYPE);
}

function send(req: Request, res: Response, text: string, type: string): void {
  const bytes = Buffer.from(text, 'utf8');
  const digest = createHash('sha256').update(bytes).digest('hex');
  const etag = `"${digest}"`;
  sendBytes(req, res, bytes, { cache: 'revalidate', type, etag });
}

/** `log`: the address of a guest's log, which proves its place. */
export function notSigned(log: string, index: number): BoardError {
  return new BoardError(
    'not_signed',
    `A guest posted this message, so there is no signature to prove. Its entry is at ${log}/feed?from=${index}&limit=1&content=all; the tiles under ${log}/tile (C2SP tlog-tiles) lead from it to the signed root.`,
  );
}
