import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { openPost } from '../../protocol/agent-post.js';
import { fromBase64, toBase64 } from '../../protocol/bytes.js';
import { openCheckpoint } from '../../protocol/checkpoint.js';
import { verifyConsistency } from '../../protocol/consistency.js';
import { contentFromJson, contentHash } from '../../protocol/content.js';
import { type Entry, parseEntry } from '../../protocol/entry.js';
import { type OpenedIdentity, openIdentity } from '../../protocol/identity.js';
import { replayKeyNotes } from '../../protocol/key.js';
import {
  messageHash,
  parseStatement,
  type Statement,
} from '../../protocol/statement.js';
import {
  eachOf,
  type Reader,
  readerOf,
  readHashLevel,
  readLeaves,
} from './log-reader.js';
import { removedFrom } from './remove.js';

type CheckedPost = {
  id: number;
  rootId: number;
  replyTo: number | null;
  requestId: string;
  messageHash: string;
  index: number;
  at: number;
  /** Null once the message is removed. */
  content: { name: string; title?: string; body: string } | null;
};

type PostEntry = Extract<Entry, { type: 'post' }>;
type Logged = CheckedPost & { statement: Statement };

async function checkPosts(
  reader: Reader,
  entries: readonly Entry[],
  board: string,
  removed: readonly number[],
): Promise<CheckedPost[]> {
  const posts = new Map<number, Logged>();
  const requests = new Set<string>();
  const gone = new Set(removed);
  const keyNotes = new Map<string, string[]>();
  let last: number | null = null;
  entries.forEach((entry, index) => {
    if (entry.type === 'key') {
      const notes = keyNotes.get(entry.agent) ?? [];
      keyNotes.set(entry.agent, [...notes, entry.embedded]);
    }
    if (entry.type === 'remove') gone.add(entry.id);
    if (entry.type === 'decision' && entry.action === 'reinstate') {
      gone.delete(entry.id);
    }
    if (entry.type !== 'post') return;
    const post = openEntry(entry, index, keyNotes);
    expect(post.statement.board, `board of ${entry.id}`).to.equal(board);
    if (last !== null) expect(entry.id, 'contiguous ids').to.equal(last + 1);
    last = entry.id;
    checkParent(post, posts);
    expect(requests.has(post.requestId), 'one message per request').to.equal(
      false,
    );
    requests.add(post.requestId);
    posts.set(entry.id, post);
  });
  await eachOf([...posts.values()], async (post) => {
    await checkContent(reader, post, gone.has(post.id));
  });
  return [...posts.values()];
}

function openEntry(
  entry: PostEntry,
  index: number,
  keyNotes: Map<string, string[]>,
): Logged {
  const text = entry.embedded.includes('\n\n')
    ? signedText(entry, keyNotes)
    : entry.embedded;
  const statement = parseStatement(text);
  if (!statement.ok) throw new Error(`post ${entry.id}: ${statement.reason}`);
  return {
    id: entry.id,
    rootId: entry.root,
    replyTo: statement.value.parent?.id ?? null,
    requestId: statement.value.request,
    messageHash: toBase64(messageHash(text)),
    index,
    at: entry.at,
    content: null,
    statement: statement.value,
  };
}

/** Signed by the key that was the agent's at this place of the log. */
function signedText(entry: PostEntry, keyNotes: Map<string, string[]>): string {
  const agent = /^agent (.*)$/m.exec(entry.embedded)?.[1] ?? '';
  const chain = replayKeyNotes(keyNotes.get(agent) ?? []);
  if (!chain.ok) throw new Error(`keys of ${agent}: ${chain.reason}`);
  const post = openPost(entry.embedded, chain.value);
  if (!post.ok) throw new Error(`post ${entry.id}: ${post.reason}`);
  return post.value.text;
}

function checkParent(post: Logged, posts: Map<number, Logged>): void {
  const named = post.statement.parent;
  if (named === null) {
    expect(post.rootId, `root of ${post.id}`).to.equal(post.id);
    return;
  }
  const parent = posts.get(named.id);
  if (parent === undefined) throw new Error(`${post.id} answers nothing`);
  expect(toBase64(named.hash), `parent of ${post.id}`).to.equal(
    parent.messageHash,
  );
  expect(post.rootId, `root of ${post.id}`).to.equal(parent.rootId);
  expect(post.statement.room, `room of ${post.id}`).to.equal(
    parent.statement.room,
  );
}

async function checkContent(
  reader: Reader,
  post: Logged,
  gone: boolean,
): Promise<void> {
  const path = `/log/content?index=${post.index}`;
  const answer = await reader.get(path);
  const message = await reader.get(`/api/messages/${post.id}`);
  if (gone) {
    expect(answer.status, path).to.equal(410);
    expect(message.status, `removed message ${post.id}`).to.equal(404);
    await Promise.all([answer.text(), message.text()]);
    return;
  }
  expect(answer.status, path).to.equal(200);
  const served = (await answer.json()) as { index: number; content: unknown };
  expect(served.index).to.equal(post.index);
  const content = contentFromJson(served.content);
  if (!content.ok) throw new Error(`${path}: ${content.reason}`);
  expect(toBase64(contentHash(content.value)), path).to.equal(
    toBase64(post.statement.content),
  );
  const { name, title, body } = content.value;
  post.content = { name, body, ...(title === undefined ? {} : { title }) };
  expect(message.status, `message ${post.id}`).to.equal(200);
  checkMessage(post, (await message.json()) as Record<string, unknown>);
}

function checkMessage(post: Logged, shown: Record<string, unknown>): void {
  const { content } = post;
  if (content === null) throw new Error('no content to compare with');
  const bytes = Buffer.from(content.body, 'utf8');
  expect(shown.body, `body of ${post.id}`).to.equal(content.body);
  expect(shown.body_bytes).to.equal(bytes.length);
  expect(shown.body_sha256).to.equal(
    createHash('sha256').update(bytes).digest('hex'),
  );
  expect(shown.message_hash, `hash of ${post.id}`).to.equal(post.messageHash);
  expect(shown.author).to.equal(content.name);
  expect(shown.title).to.equal(content.title);
  expect(shown.id).to.equal(post.id);
  expect(shown.root_id).to.equal(post.rootId);
  expect(shown.reply_to).to.equal(post.replyTo);
  expect(shown.room).to.equal(post.statement.room);
  expect(shown.agent_id).to.equal(post.statement.agent);
  expect(shown.created_at).to.equal(
    `${new Date(post.at).toISOString().slice(0, 19)}Z`,
  );
}

export type CheckedLedger = { size: number; posts: CheckedPost[] };

/**
 * Verifies the whole log of a running board from its public endpoints alone,
 * as a stranger would: who signed it, that its tree, tiles, proofs and
 * entries agree, and that every message served is the one that was logged.
 * Every test file that wrote ends with it.
 */
export async function checkLedger(test: {
  url: string;
  databaseUrl?: string;
}): Promise<CheckedLedger> {
  const reader = readerOf(test.url);
  const note = await reader.text('/log/checkpoint');
  const size = Number(note.split('\n')[1]);
  expect(size, 'a log has its identity at index 0').to.be.at.least(1);
  const leaves = await readLeaves(reader, size);
  const entries = checkEntries(leaves);
  const identity = checkIdentities(entries);
  const head = openCheckpoint(note, identity.keys.log);
  if (!head.ok) throw new Error(`the checkpoint is refused: ${head.reason}`);
  expect(head.value.size).to.equal(size);
  expect(head.value.origin).to.equal(identity.origin);
  const levels = treeOf(leaves.map(hashOfLeaf));
  const root = rootOf(levels, 0, size);
  expect(toBase64(head.value.root), 'root').to.equal(toBase64(root));
  await checkHashTiles(reader, levels);
  await checkConsistency(reader, levels, size);
  const removed = removedFrom(test.databaseUrl ?? '');
  const posts = await checkPosts(reader, entries, identity.name, removed);
  return { size, posts };
}

/** Each parses, formats back to its own bytes, and time never goes back. */
function checkEntries(leaves: readonly string[]): Entry[] {
  let last = 0;
  return leaves.map((leaf, index) => {
    const entry = parseEntry(leaf);
    if (!entry.ok) throw new Error(`entry ${index}: ${entry.reason}\n${leaf}`);
    if (entry.value.type === 'unknown') throw new Error(`entry ${index}`);
    expect(entry.value.at, `time of entry ${index}`).to.be.at.least(last);
    last = entry.value.at;
    return entry.value;
  });
}

/** Signed by log and node key; later ones by the same log key, seq rising. */
function checkIdentities(entries: readonly Entry[]): OpenedIdentity {
  let current: OpenedIdentity | undefined;
  entries.forEach((entry, index) => {
    if (entry.type !== 'board') return;
    const opened = openIdentity(entry.embedded, current?.keys.log);
    if (!opened.ok) throw new Error(`identity ${index}: ${opened.reason}`);
    expect(opened.value.seq).to.equal((current?.seq ?? -1) + 1);
    expect(opened.value.at).to.equal(entry.at);
    current = opened.value;
  });
  expect(entries[0]?.type).to.equal('board');
  if (current === undefined) throw new Error('the log has no identity');
  return current;
}

function sha256(...parts: (string | Uint8Array)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

export const hashOfLeaf = (leaf: string) => sha256('\0', leaf);

/** Full subtrees by level, by definition and without code of the board. */
export function treeOf(leaves: Buffer[]): Buffer[][] {
  const levels = [leaves];
  for (let below = leaves; below.length > 1; ) {
    const above: Buffer[] = [];
    for (let at = 0; at + 1 < below.length; at += 2) {
      const [left, right] = [below[at], below[at + 1]];
      if (left && right) above.push(sha256('\x01', left, right));
    }
    levels.push(above);
    below = above;
  }
  return levels;
}

/** RFC 6962 2.1 over leaves [from, from + size). */
export function rootOf(levels: Buffer[][], from: number, size: number): Buffer {
  if (size === 0) return sha256();
  const level = Math.log2(size);
  if (Number.isInteger(level)) {
    const full = levels[level]?.[from / size];
    if (full === undefined) throw new Error('the tree lacks a subtree');
    return full;
  }
  const split = 2 ** Math.floor(level);
  const left = rootOf(levels, from, split);
  return sha256('\x01', left, rootOf(levels, from + split, size - split));
}

async function checkHashTiles(
  reader: Reader,
  levels: Buffer[][],
): Promise<void> {
  for (let level = 0; levels[level * 8]?.length; level += 1) {
    const hashes = levels[level * 8] ?? [];
    const served = await readHashLevel(reader, level, hashes.length);
    const same = served.equals(Buffer.concat(hashes));
    expect(same, `hash tiles of level ${level}`).to.equal(true);
  }
}

export async function checkConsistency(
  reader: Reader,
  levels: Buffer[][],
  size: number,
  sizes = [1, size >> 1, (size * 2) / 3, size - 1, size],
): Promise<number> {
  const olds = new Set(sizes.filter((old) => old <= size));
  for (const old of [...olds].map(Math.floor)) {
    if (old < 1) continue;
    const path = `${reader.log}/consistency?from=${old}&to=${size}`;
    const proof = JSON.parse(await reader.text(path)) as { hashes: string[] };
    const hashes = proof.hashes.map((hash) => fromBase64(hash, 32));
    const proven = verifyConsistency(
      old,
      size,
      rootOf(levels, 0, old),
      rootOf(levels, 0, size),
      hashes.map((hash) => hash ?? new Uint8Array()),
    );
    expect(proven, path).to.equal(true);
  }
  return olds.size;
}
