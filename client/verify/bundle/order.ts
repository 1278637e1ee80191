import { equalBytes, toBase64 } from '../../../protocol/bytes.js';
import { openIdentity } from '../../../protocol/identity.js';
import type { Room } from '../../../protocol/room.js';
import type { Vkey } from '../../../protocol/vkey.js';
import type { PostFacts } from './check-post.js';
import type { TileReport } from './check-tile.js';
import { addFault, addFaults, type Faults } from './faults.js';
import type { PlacedEntry } from './scan.js';

type Seen = { hash: string; root: number; room: Room; poll: number | null };

export type Walk = ReturnType<typeof beginWalk>;

export function beginWalk(faults: Faults) {
  return {
    seen: new Map<number, Seen>(),
    requests: new Set<string>(),
    lastId: null as number | null,
    until: 0,
    counts: { messages: 0, signed: 0 },
    faults,
  };
}

/** Tiles MUST come in order. */
export function walkTile(
  walk: Walk,
  { posts, from, until, faults }: TileReport,
) {
  addFaults(walk.faults, faults);
  if (from < walk.until) {
    addFault(walk.faults, 'order', posts[0]?.index ?? null, 'time goes back');
  }
  walk.until = Math.max(walk.until, until);
  for (const post of posts) walkPost(walk, post);
}

function walkPost(walk: Walk, post: PostFacts): void {
  const { seen, requests, lastId, faults, counts } = walk;
  const { id, index, root, room, hash, poll, parent } = post;
  const fault = (step: 'order' | 'parent', what: string) =>
    addFault(faults, step, index, what);
  if (lastId !== null && id !== lastId + 1) {
    fault('order', 'message ids have a gap or go back');
  }
  walk.lastId = Math.max(lastId ?? 0, id);
  if (requests.has(post.request)) fault('order', 'a request_id comes twice');
  requests.add(post.request);
  if (parent !== null) {
    const above = seen.get(parent.id);
    const fits =
      above?.hash === parent.hash && above.root === root && above.room === room;
    if (!fits) fault('parent', 'a reply is not to the message it names');
  }
  seen.set(id, { hash, root, room, poll });
  counts.messages += 1;
  if (post.signed) counts.signed += 1;
}

/** They name an existing message by its hash. */
export function checkTargets(
  { seen, faults }: Walk,
  others: readonly PlacedEntry[],
): void {
  for (const { index, entry } of others) {
    if (entry.type === 'remove' || entry.type === 'decision') {
      if (seen.get(entry.id)?.hash === toBase64(entry.target)) continue;
      const what = 'a decision names no message of the log';
      addFault(faults, 'entry', index, what);
    }
    if (entry.type === 'poll' && seen.get(entry.id)?.poll !== entry.poll) {
      addFault(faults, 'entry', index, 'a closing names no poll of the log');
    }
  }
}

/** The first is entry 0; later ones raise seq under the same key (§B1). */
export function checkIdentities(
  others: readonly PlacedEntry[],
  log: Vkey,
  faults: Faults,
): void {
  let seq = -1;
  for (const { index, entry } of others) {
    if (entry.type !== 'board') continue;
    const opened = openIdentity(entry.embedded, log);
    const good =
      opened.ok &&
      equalBytes(opened.value.keys.log.publicKey, log.publicKey) &&
      opened.value.origin === log.name &&
      opened.value.seq > seq;
    if (good) seq = opened.value.seq;
    else addFault(faults, 'identity', index, 'an identity is not of this log');
  }
  if (others[0]?.index !== 0 || others[0].entry.type !== 'board') {
    addFault(faults, 'identity', 0, 'the log does not begin with its board');
  }
}
