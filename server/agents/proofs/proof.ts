import { hash } from 'node:crypto';
import type { Request, Response } from 'express';
import { logPath } from '../../../protocol/board-name.js';
import { hashesOfPlan, inclusionPlan } from '../../../protocol/plan.js';
import {
  formatTlogProof,
  type Proof,
  type ProvenLeaf,
  proofToJson,
} from '../../../protocol/proof.js';
import type { Sql } from '../../db/sql.js';
import { storedContent } from '../../db/stored-content.js';
import { BoardError, unknownMessage } from '../../errors.js';
import {
  JSON_TYPE,
  sendBytes,
  setHeaders,
  TEXT_TYPE,
} from '../../http/send.js';
import { lookupIn, OWN_LOG, readHashes } from '../../ledger/own-log.sql.js';
import type { ProofForm } from './answers.js';
import { type ProofFacts, proofFacts } from './proof-facts.sql.js';

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
    content: storedContent(facts),
    checkpoint: facts.checkpoint,
    cosigners: facts.cosigners ?? [],
    ...(removal === undefined ? {} : { removal }),
  };
}

/** Of a message of this board. */
export async function ownProof(reads: Sql, id: number): Promise<Proof> {
  const facts = await proofFacts(reads, id);
  if (facts === null) throw unknownMessage();
  const { agent_id, origin, origin_id: log } = facts;
  if (agent_id === null) throw notSigned(logPath(origin), facts.log_index);
  return await assembleProof(reads, id, { ...facts, agent_id }, log);
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
  const etag = `"${hash('sha256', bytes)}"`;
  sendBytes(req, res, bytes, { cache: 'revalidate', type, etag });
}

/** `log`: the address of a guest's log, which proves its place. */
export function notSigned(log: string, index: number): BoardError {
  return new BoardError(
    'not_signed',
    `A guest posted this message, so there is no signature to prove. Its entry is at ${log}/feed?from=${index}&limit=1&content=all; the tiles under ${log}/tile (C2SP tlog-tiles) lead from it to the signed root.`,
  );
}
