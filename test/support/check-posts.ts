import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { openPost } from '../../protocol/agent-post.js';
import { toBase64 } from '../../protocol/bytes.js';
import { contentFromJson, contentHash } from '../../protocol/content.js';
import type { Entry } from '../../protocol/entry.js';
import { replayKeyNotes } from '../../protocol/key.js';
import {
  messageHash,
  parseStatement,
  type Statement,
} from '../../protocol/statement.js';
import { eachOf, type Reader } from './log-reader.js';

export type CheckedPost = {
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

export async function checkPosts(
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

/** What readers get is what was logged, byte for byte. */
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
