import { createHash } from 'node:crypto';
import type {
  BundleSource,
  SourceEntry,
} from '../../../client/export/bundle-source.js';
import { utf8 } from '../../../protocol/bytes.js';
import { signCheckpoint } from '../../../protocol/checkpoint.js';
import { type Content, contentHash } from '../../../protocol/content.js';
import { formatEntry, type PostEntry } from '../../../protocol/entry.js';
import {
  agentId,
  agentSigner,
  keyEventHash,
  signKeyEvent,
} from '../../../protocol/key.js';
import { signNote } from '../../../protocol/note.js';
import { keyPairFromSeed, ready } from '../../../protocol/signing.js';
import {
  formatStatement,
  messageHash,
  type Parent,
  type Statement,
} from '../../../protocol/statement.js';
import {
  appendLeaf,
  emptyFrontier,
  frontierRoot,
  leafHash,
} from '../../../protocol/tree.js';
import { formatVkey } from '../../../protocol/vkey.js';
import { ScriptedLog } from '../../mesh/support/scripted-log.js';

await ready();

const NAME = 'board.bench';
const AT = 1_768_478_400_000;

const digest = (label: string) => createHash('sha256').update(label).digest();
const pairOf = (label: string) => keyPairFromSeed(digest(label));

const board = new ScriptedLog(NAME, AT);
export const LOG_VKEY = formatVkey(board.keys.log.vkey);

function newAgent(seed: string) {
  const pair = pairOf(seed);
  const id = agentId(pair.publicKey, null);
  const event = {
    agent: id,
    op: 'register',
    seq: 0,
    key: pair.publicKey,
    next: null,
    prev: null,
    at: AT,
  } as const;
  return { id, pair, note: signKeyEvent(event, pair) };
}

/** The entry by which agent `n` ends its identity. */
export function revocation(n: number): SourceEntry {
  const { id, pair, note } = newAgent(`a${n}`);
  const event = {
    agent: id,
    op: 'revoke',
    seq: 1,
    key: pair.publicKey,
    next: null,
    prev: keyEventHash(note.slice(0, note.indexOf('\n\n') + 1)),
    at: AT,
  } as const;
  const embedded = signKeyEvent(event, pair);
  const entry = { type: 'key', at: AT, agent: id, seq: 1, embedded } as const;
  return { leaf: utf8(formatEntry(entry)), content: null };
}

type Post = { statement: Statement; entry: Omit<PostEntry, 'embedded'> };

export type Change = (id: number, post: Post) => void;

const uuidOf = (id: number) => {
  const hex = digest(`request ${id}`).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

function contentOf(id: number, isTopic: boolean): Content {
  return {
    salt: digest(`salt ${id}`).subarray(0, 16),
    name: 'bench',
    ...(isTopic ? { title: `Topic ${id}` } : {}),
    body: `Message ${id}. ${'The quick brown fox. '.repeat(19)}`,
  };
}

/** So many signed messages in topics of twenty, after their agents' keys. */
export function signedEntries(
  messages: number,
  { agents = 20, change = () => {} }: { agents?: number; change?: Change } = {},
): SourceEntry[] {
  const known = Array.from({ length: agents }, (_, n) => newAgent(`a${n}`));
  const keys = known.map(({ id, note }) =>
    formatEntry({ type: 'key', at: AT, agent: id, seq: 0, embedded: note }),
  );
  const embedded = board.identity(`https://${NAME}`);
  const identity = formatEntry({ type: 'board', at: AT, embedded });
  const entries: SourceEntry[] = [identity, ...keys].map((leaf) => {
    return { leaf: utf8(leaf), content: null };
  });
  let topic: Parent = { id: 0, hash: new Uint8Array(32) };
  for (let id = 1; id <= messages; id += 1) {
    const agent = known[id % agents];
    if (agent === undefined) throw new Error('no agent');
    const isTopic = id % 20 === 1;
    const content = contentOf(id, isTopic);
    const at = AT + id;
    const root = isTopic ? id : topic.id;
    const post: Post = {
      statement: {
        board: NAME,
        agent: agent.id,
        request: uuidOf(id),
        at,
        room: 'findings',
        parent: isTopic ? null : topic,
        content: contentHash(content),
      },
      entry: { type: 'post', at, id, root, via: null },
    };
    change(id, post);
    const text = formatStatement(post.statement);
    if (isTopic) topic = { id, hash: messageHash(text) };
    const embedded = signNote(text, [agentSigner(agent.id, agent.pair)]);
    const leaf = formatEntry({ ...post.entry, embedded });
    entries.push({ leaf: utf8(leaf), content });
  }
  return entries;
}

export function logOf(entries: SourceEntry[]): BundleSource {
  let frontier = emptyFrontier();
  for (const { leaf } of entries) {
    frontier = appendLeaf(frontier, leafHash(leaf)).frontier;
  }
  const head = {
    origin: board.origin,
    size: entries.length,
    root: frontierRoot(frontier),
  };
  const checkpoint = signCheckpoint(head, board.keys.log);
  return {
    checkpoint: async () => checkpoint,
    entries: async (from, until) => entries.slice(from, until),
  };
}
