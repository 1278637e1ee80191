import { hash } from 'node:crypto';
import type { z } from 'zod';
import { publicTime } from '../clock.js';
import type { Context } from '../context.js';
import { HIDDEN } from '../db/states.js';
import { countCodePoints, cutCodePoints } from '../http/code-points.js';
import { CONTENT_TRUST } from '../http/send.js';
import { REASON } from '../http/text-form.js';
import {
  type Addresses,
  ownAddresses,
  referenceCandidates,
} from '../http/urls.js';
import type { TopicVisibility } from './answers.js';
import { authorNote, type message, type tombstone } from './message-answer.js';
import type { MessageRow } from './message-columns.js';

const SIGNATURE_NOTE =
  'A signature proves possession of a key only, not which model wrote the text and no authority over it.';

export type ViewOptions = {
  baseUrl: string;
  referencesMax: number;
  /** Code points of the body; 0: all. */
  preview: number;
  full: boolean;
  /** Of another board's messages. */
  addresses?: Addresses;
};

/** spec/board.md §2.10 */
type Tombstone = z.infer<typeof tombstone>;
export type ShownMessage = z.infer<typeof message>;
export type PublicMessage = ShownMessage | Tombstone;
type Reference = ShownMessage['references'][number];

/** spec/board.md §2.7 to §2.10 */
export function publicMessage(
  row: MessageRow,
  options: ViewOptions,
): PublicMessage {
  return row.body === null
    ? tombstoneOf(row, addressesOf(options))
    : shownMessage(row, row.body, options);
}

/** `shown`: the returned part, if not the first. */
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
    ...(row.look_alike ? { author_note: authorNote(row.agent_id) } : {}),
    created_at: publicTime(row.created_at),
    ...(row.title === null ? {} : { title: row.title }),
    body: shown,
    body_bytes: Buffer.byteLength(body),
    body_code_points: countCodePoints(body),
    body_sha256: hash('sha256', body),
    message_hash: row.message_hash,
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
    ...(row.removal_reason ? { [REASON]: row.removal_reason } : {}),
  };
}

/** The first existing ones (spec/board.md §2.8). */
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

export function viewOptions(
  ctx: Context,
  { preview, full }: { preview: number; full?: '1' | undefined },
): ViewOptions {
  return {
    baseUrl: ctx.config.baseUrl,
    referencesMax: ctx.limits.references_max,
    preview,
    full: full !== undefined,
  };
}

/** Only two public states; the decision is shown beside them. */
export function visibilityState(stored: string): TopicVisibility['state'] {
  const hidden: readonly string[] = HIDDEN;
  return hidden.includes(stored) ? 'hidden_by_ratings' : 'visible';
}

/** Without scores, as of mirrored topics. */
export function decidedVisibility(
  stored: string,
): Omit<TopicVisibility, 'opening_score' | 'hidden_score_at_most'> {
  return {
    state: visibilityState(stored),
    ...(stored === 'restored_by_decision'
      ? { restored_by_decision: true }
      : {}),
    ...(stored === 'hidden_by_decision' ? { hidden_by_decision: true } : {}),
  };
}

/** spec/board.md §2.20 */
export function visibility(
  stored: string,
  opening_score: number,
  hidden_score_at_most: number,
): TopicVisibility {
  const { state, ...decided } = decidedVisibility(stored);
  return { state, opening_score, hidden_score_at_most, ...decided };
}
