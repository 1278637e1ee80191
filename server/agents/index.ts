import type { Endpoint } from '../http/endpoint.js';
import { inboxSchemas, readInbox, readInboxOf } from './inbox/inbox.js';
import { schemas } from './proofs/answers.js';
import { judgeProof, judgeRequest } from './proofs/judge-proof.js';
import { readProof } from './proofs/read-proof.js';
import { readKey } from './read-key.js';
import { submitKeyEvent } from './submit-key-event.js';

/** spec/mesh.md §B2 */
export const keyEndpoints: readonly Endpoint[] = [submitKeyEvent, readKey];

export const inboxEndpoints = [readInbox, readInboxOf];

export { inboxSchemas };

export const proofEndpoints: readonly Endpoint[] = [readProof, judgeProof];

export const proofSchemas = { ...schemas, VerdictRequest: judgeRequest };

export { keyChecks } from './key-budgets.js';
export { proofAnswer, proofQuery } from './proofs/answers.js';
export { assembleProof, notSigned, sendProof } from './proofs/proof.js';
export type { ProofFacts } from './proofs/proof-facts.sql.js';
