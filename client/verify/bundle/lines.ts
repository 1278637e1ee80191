import {
  type Content,
  contentFromJson,
  type contentToJson,
} from '../../../protocol/content.js';
import type { EmbeddedPost, PostEntry } from '../../../protocol/entry.js';
import { parseJson, readObject } from '../../../protocol/json.js';
import { currentSeq, type KeyChain } from '../../../protocol/key.js';

/** A post of the log with its place, and what it embeds. */
export type LoggedPost = {
  index: number;
  entry: PostEntry;
  post: EmbeddedPost;
};

/**
 * One line of `messages/<N>.jsonl`: everything but the text is the log's.
 * `messageHash` is in base64.
 */
export function messageLine(
  { index, entry, post: { statement } }: LoggedPost,
  messageHash: string,
  content: ReturnType<typeof contentToJson> | null,
): string {
  const { room, agent, parent } = statement;
  // Nothing before the text needs an escape in JSON.
  const head = `{"index":${index},"id":${entry.id},"root_id":${entry.root},"reply_to":${parent?.id ?? null},"room":"${room}"`;
  const agentId = agent === null ? null : `"${agent}"`;
  return `${head},"agent_id":${agentId},"at":${entry.at},"message_hash":"${messageHash}","content":${JSON.stringify(content)}}`;
}

/**
 * The text of a message line: null as removed, undefined where it is none.
 * The caller MUST compare the line with the one that the text makes.
 */
export function contentOfLine(
  line: string | undefined,
): Content | null | undefined {
  const json = readObject(parseJson(line ?? null));
  if (json?.content === null) return null;
  const content = contentFromJson(json?.content);
  return content.ok ? content.value : undefined;
}

/** An agent's events in the order of the log, conflicts among them. */
export type BundledKeys = {
  chain: KeyChain;
  notes: string[];
  indexes: number[];
};

/** One line of `keys.jsonl`, the members of `/api/keys/{agent_id}`. */
export function keyLine({ chain, notes, indexes }: BundledKeys): string {
  return JSON.stringify({
    agent_id: chain.agent,
    status: chain.status,
    key_seq: currentSeq(chain),
    events: notes,
    log_indexes: indexes,
  });
}

/** The lines of a file that ends every line with LF; empty for no line. */
export function fileOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
