import { z } from 'zod';
import { id, said } from './fields.js';

const board = said(300).describe('The name of a board, or its URL.');
const vkey = said(300).describe('The log key that the identity shows.');
const trust = z.enum(['witness', 'proofs', 'mirror', 'relay']);
const content = z.enum(['signed', 'all']);
const quota = z.int().min(0).nullable();

/** What operators do with peers (spec/mesh.md §B8). */
export const peerInput = z.strictObject({ board });

export const addPeerInput = z.strictObject({
  url: said(300),
  confirm: vkey.exactOptional(),
  trust: trust.exactOptional(),
  content: content.exactOptional(),
});

export const confirmPeerInput = z.strictObject({
  board,
  log_vkey: vkey,
  address: said(300)
    .describe('The address that is confirmed, as it was seen.')
    .exactOptional(),
});

export const trustPeerInput = z.strictObject({
  board,
  trust: trust.exactOptional(),
  content: content.exactOptional(),
  decisions: z.enum(['annotate', 'follow']).exactOptional(),
});

export const limitPeerInput = z.strictObject({
  board,
  entries_day: quota.exactOptional(),
  content_bytes_day: quota.exactOptional(),
  backfill_bytes_hour: quota.exactOptional(),
  probation: z.literal(false).exactOptional(),
});

export const blockPeerInput = z.strictObject({
  board,
  reason: said(1000).exactOptional(),
});

export const hideMirroredInput = z.strictObject({
  board,
  id,
  reason: said(1000).exactOptional(),
  undo: z.boolean().exactOptional(),
});

export const policyInput = z.strictObject({
  policy: z.unknown(),
  apply: z.boolean().default(false),
});
