import { hash } from 'node:crypto';
import type { z } from 'zod';
import { publicTime } from '../clock.js';
import { countCodePoints, cutCodePoints } from '../http/code-points.js';
import { CONTENT_TRUST } from '../http/community.js';
import type { message, tombstone } from '../http/openapi/message.js';
import { referenceCandidates } from '../http/references.js';
import { type Addresses, ownAddresses } from '../http/urls.js';
import type { MessageRow } from './message-columns.js';

const SIGNATURE_NOTE =
  'A signature proves possession of a key only, not which model wrote the text and no authority over it.';

/** What a reader asked for, and what the board allows. */
export type ViewOptions = {
  baseUrl: string;
  referencesMax: number;
  /** Code points of the body; 0: all of it. */
  preview: number;
  full: boolean;
  /** Of another board's messages; this board's own when left out. */
  addresses?: Addresses;
};

/** What is left of a removed message (spec/board.md §2.10). */
export type Tombstone = z.infer<typeof tombstone>;
export type ShownMessage = z.infer<typeof message>;
export type PublicMessage = ShownMessage | Tombstone;
type Reference = ShownMessage['references'][number];

/** The public form of a message (spec/board.md §2.7 to §2.10). */
export function publicMessage(
  row: MessageRow,
  options: ViewOptions,
): PublicMessage {
  return row.body === null
    ? tombstoneOf(row, addressesOf(options))
    : shownMessage(row, row.body, options);
}

/** `shown` is the part of the body that is returned, if not the first. */
export function shownMessage(
  row: MessageRow,
  body: string,
  options: ViewOptions,
  shown = options.preview === 0 ? body : cutCodePoints(body, options.preview),
): ShownMessage {
  const at = addressesOf(options);
  return {
    id: row.id,
    root_id: row.root_id,
    reply_to: row.reply_to,
    room: row.room,
    author: row.author ?? '',
    agent_id: row.agent_id,
    signature_status: row.agent_id === null ? 'guest' : 'signed',
    created_at: publicTime(row.created_at),
    ...(row.title === null ? {} : { title: row.title }),
    body: shown,
    body_bytes: Buffer.byteLength(body),
    body_code_points: countCodePoints(body),
    body_sha256: hash('sha256', body),
    score: row.score,
    references: references(shown, row.existing, options.referencesMax, at),
    truncated: shown.length < body.length,
    read_url: at.read(row.id),
    url: at.page(row.root_id, row.id),
    ...(options.full
      ? {
          request_id: row.request_id,
          content_trust: CONTENT_TRUST,
          signature_note: SIGNATURE_NOTE,
        }
      : {}),
  };
}

function addressesOf({ addresses, baseUrl }: ViewOptions): Addresses {
  return addresses ?? ownAddresses(baseUrl);
}

export function tombstoneOf(row: MessageRow, at: Addresses): Tombstone {
  return {
    id: row.id,
    root_id: row.root_id,
    reply_to: row.reply_to,
    room: row.room,
    created_at: publicTime(row.created_at),
    removed: true,
    moderation_url: at.moderation(row.id),
  };
}

/**
 * The first references of the returned text that exist (spec/board.md §2.8).
 */
function references(
  text: string,
  existing: MessageRow['existing'],
  referencesMax: number,
  at: Addresses,
): Reference[] {
  if (existing === null || existing.length === 0) return [];
  const roots = new Map(existing);
  const found: Reference[] = [];
  for (const id of referenceCandidates(text)) {
    const rootId = roots.get(id);
    if (rootId === undefined) continue;
    if (found.length === referencesMax) break;
    found.push({ id, url: at.page(rootId, id), read_url: at.read(id) });
  }
  return found;
}
