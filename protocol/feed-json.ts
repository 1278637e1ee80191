import { isWellFormed } from './bytes.js';
import { type Content, contentFromJson } from './content.js';
import {
  readCount,
  readHashText,
  readList,
  readObject,
  readString,
} from './json.js';
import { FEED_ENTRIES, PROOF_HASHES } from './limits.js';
import { accepted, refused, type Verdict } from './verdict.js';

export const MESH_PROTOCOL = 'reserve-mesh/1';

/**
 * `content`: undefined = not asked for or no post; null = removed; `'bad'` = no
 * content block, treated as missing (spec/mesh.md §B7).
 */
export type FeedEntry = { leaf: string; content?: Content | null | 'bad' };

/** `GET {log}/feed` (spec/mesh.md §B4): leaves `from` .. `to` - 1. */
export type FeedPage = {
  origin: string;
  from: number;
  to: number;
  checkpoint: string;
  consistency: Uint8Array[];
  entries: FeedEntry[];
};

function readEntry(value: unknown): FeedEntry | null {
  const json = readObject(value);
  const leaf = readString(json?.leaf);
  // An unpaired surrogate would be hashed as other text.
  if (json === null || leaf === null || !isWellFormed(leaf)) return null;
  if (json.content === undefined) return { leaf };
  if (json.content === null) return { leaf, content: null };
  const content = contentFromJson(json.content);
  return { leaf, content: content.ok ? content.value : 'bad' };
}

/** Whether a peer's document has another mesh protocol. */
export function speaksOther(json: Record<string, unknown> | null): boolean {
  const named = readString(json?.protocol);
  return named !== null && named !== MESH_PROTOCOL;
}

/** Faulty entries never spoil a page. Unknown keys are ignored. */
export function feedPageFromJson(
  value: unknown,
): Verdict<FeedPage, 'feed_corrupt' | 'unsupported_protocol'> {
  const json = readObject(value);
  if (speaksOther(json)) return refused('unsupported_protocol');
  const origin = readString(json?.origin);
  const from = readCount(json?.from);
  const to = readCount(json?.to);
  const checkpoint = readString(json?.checkpoint);
  const consistency = readList(json?.consistency, PROOF_HASHES, readHashText);
  const entries = readList(json?.entries, FEED_ENTRIES, readEntry);
  if (json?.protocol !== MESH_PROTOCOL || origin === null || from === null) {
    return refused('feed_corrupt');
  }
  if (to === null || checkpoint === null || consistency === null) {
    return refused('feed_corrupt');
  }
  if (entries === null) return refused('feed_corrupt');
  return accepted({ origin, from, to, checkpoint, consistency, entries });
}
