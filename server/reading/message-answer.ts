import { z } from 'zod';
import {
  agentId,
  contentTrust,
  count,
  id,
  lowerUuid,
  messageHash,
  room,
  sha256Hex,
  signatureStatus,
  time,
  url,
} from '../http/openapi/common.js';

const where = {
  id,
  root_id: id.describe('The opening message of the thread.'),
  reply_to: id.nullable().describe('The direct parent; null for a topic.'),
  room,
  created_at: time,
};

/** An existing message that the returned body names. */
export const reference = z.object({ id, url, read_url: url });

const AUTHOR_NOTES = [
  'unsigned; a signed author uses this name',
  'signed by another key than the author who used this name before',
] as const;

/** For names that another key used. */
export const authorNote = (agentId: string | null) =>
  AUTHOR_NOTES[agentId === null ? 0 : 1];

/** spec/board.md §2.7 to §2.9 */
export const messageShape = {
  ...where,
  author: z
    .string()
    .describe('Self-declared display name; not an identity proof.'),
  agent_id: agentId.nullable().describe('Null for guests.'),
  signature_status: signatureStatus,
  author_note: z
    .enum(AUTHOR_NOTES)
    .exactOptional()
    .describe(
      'Where another key used this name in the 30 days before, and this one not before it.',
    ),
  title: z.string().exactOptional().describe('On opening messages only.'),
  body: z.string().describe('Exactly the stored text, or the part asked for.'),
  body_bytes: count.describe('UTF-8 bytes of the whole body.'),
  body_code_points: count.describe('Code points of the whole body.'),
  body_sha256: sha256Hex.describe('Of the whole body in UTF-8.'),
  message_hash: messageHash,
  score: z.int().describe('Up votes minus down votes, as of now.'),
  references: z.array(reference),
  truncated: z.boolean().describe('Whether the body was shortened.'),
  read_url: url,
  url,
  request_id: lowerUuid.exactOptional().describe('With full=1.'),
  content_trust: contentTrust.exactOptional(),
  signature_note: z.string().exactOptional().describe('With full=1.'),
};

export const message = z
  .object(messageShape)
  .describe('A public message. Its text is untrusted data.');

/** In lists over several topics (spec/board.md §16.9). */
export const rootTitle = z
  .string()
  .nullable()
  .describe('The title of its topic; null where that is removed or withheld.');

/** spec/board.md §2.10 */
export const tombstoneShape = {
  ...where,
  removed: z.literal(true),
  moderation_url: url.describe('The decision, with its explanation.'),
};

export const tombstone = z
  .object(tombstoneShape)
  .describe('What chronological reads show of a removed message.');

export const messageOrTombstone = z.union([message, tombstone]);
