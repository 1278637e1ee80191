import { openPost, type PostRefusal, type SignedPost } from './agent-post.js';
import { equalBytes } from './bytes.js';
import {
  type Content,
  contentFromJson,
  contentHash,
  contentToJson,
} from './content.js';
import { readList, readObject, readString } from './json.js';
import type { KeyChain } from './key-chain.js';
import { type KeyRefusal, replayKeyNotes } from './key-step.js';
import { KEY_EVENTS } from './limits.js';
import { accepted, refused, type Verdict } from './verdict.js';

/** All that another board needs to accept a post (spec/mesh.md §B10). */
export type Envelope = { note: string; content: Content; keys: string[] };
export type OpenedEnvelope = SignedPost & { content: Content; chain: KeyChain };
export type EnvelopeRefusal =
  | PostRefusal
  | KeyRefusal
  | 'bad_content'
  | 'vote_not_portable';

const FORMAT = 'reserve-board/envelope/v1';

export function envelopeToJson(envelope: Envelope): Record<string, unknown> {
  const { note, content, keys } = envelope;
  return { format: FORMAT, note, content: contentToJson(content), keys };
}

/** Refuses unknown keys and more than 64 key notes. */
export function envelopeFromJson(
  value: unknown,
): Verdict<Envelope, 'bad_note' | 'bad_content'> {
  const json = readObject(value, ['format', 'note', 'content', 'keys']);
  const note = readString(json?.note);
  const keys = readList(json?.keys, KEY_EVENTS, readString);
  if (json?.format !== FORMAT || note === null || keys === null) {
    return refused('bad_note');
  }
  const content = contentFromJson(json.content);
  if (!content.ok) return content;
  return accepted({ note, content: content.value, keys });
}

/**
 * Checks keys, signature and content; posts with a vote are not relayable. The
 * receiver MUST merge these keys with those it knows, which win.
 */
export function openEnvelope(
  envelope: Envelope,
): Verdict<OpenedEnvelope, EnvelopeRefusal> {
  const { note, content, keys } = envelope;
  const replayed = replayKeyNotes(keys);
  if (!replayed.ok) return replayed;
  const chain = replayed.value;
  if (chain === null) return refused('key_unknown');
  const post = openPost(note, chain);
  if (!post.ok) return post;
  const { statement } = post.value;
  if (statement.vote !== undefined) return refused('vote_not_portable');
  if (!equalBytes(contentHash(content), statement.content)) {
    return refused('bad_content');
  }
  return accepted({ ...post.value, content, chain });
}
