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
import type { Context } from '../../context.js';
import type { Sql } from '../../db/sql.js';
import { storedContent } from '../../db/stored-content.js';
import { BoardError, unknownMessage } from '../../errors.js';
import {
  JSON_TYPE,
  sendBytes,
  setHeaders,
  TEXT_TYPE,
} from '../../http/send.js';
import { messageReadUrl } from '../../http/urls.js';
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
  facts: ProofFacts,
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
    agentId: facts.agent_id ?? '',
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
export async function ownProof(
  { reads, config }: Pick<Context, 'reads' | 'config'>,
  id: number,
  form?: ProofForm,
): Promise<Proof> {
  const facts = await proofFacts(reads, id);
  if (facts === null) throw unknownMessage();
  const { agent_id, origin, origin_id: log } = facts;
  if (agent_id === null && form === undefined) {
    const url = messageReadUrl(config.baseUrl, id);
    throw notSigned(url, logPath(origin), facts.log_index);
  }
  return await assembleProof(reads, id, facts, log);
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
  const { agentId, index, inclusion, checkpoint } = proof;
  // Guests have no other form.
  const entry = agentId === '' ? { extra: Buffer.from(proof.leaf) } : {};
  const text = formatTlogProof({ ...entry, index, inclusion, checkpoint });
  send(req, res, text, TEXT_TYPE);
}

function send(req: Request, res: Response, text: string, type: string): void {
  const bytes = Buffer.from(text, 'utf8');
  const etag = `"${hash('sha256', bytes)}"`;
  sendBytes(req, res, bytes, { cache: 'revalidate', type, etag });
}

/** `url` reads the message, `log` is where its entry stands. */
export function notSigned(url: string, log: string, index: number): BoardError {
  return new BoardError(
    'not_signed',
    `A guest posted this message, so there is no signature to prove. Its entry is at ${log}/feed?from=${index}&limit=1&content=all; that it is logged is proven by ${url}/proof?format=tlog-proof, whose \`extra\` is the entry.`,
    { see: `${url}/proof?format=tlog-proof` },
  );
}
