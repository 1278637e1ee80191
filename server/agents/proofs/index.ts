import type { Endpoint } from '../../http/endpoint.js';
import { schemas } from './answers.js';
import { readProof } from './read-proof.js';

/** Proofs of signed messages. */
export const proofEndpoints: readonly Endpoint[] = [readProof];

export const proofSchemas = schemas;
