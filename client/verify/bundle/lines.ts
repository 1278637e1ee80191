import type { contentToJson } from '../../../protocol/content.js';
import { currentSeq, type KeyChain } from '../../../protocol/key.js';
import type { LoggedPost } from './logged-post.js';

/** The form of a text in a message line, and in feeds and proofs. */
export type ContentJson = ReturnType<typeof contentToJson>;

/**
 * One line of `messages/<N>.jsonl`: everything but the text is the log's.
 * `messageHash` is in base64.
 */
export function messageLine(
  { index, entry, post: { statement } }: LoggedPost,
  messageHash: string,
  content: ContentJson | null,
): string {
  const { room, agent, parent } = statement;
  // Nothing before the text needs an escape in JSON.
  const head = `{"index":${index},"id":${entry.id},"root_id":${entry.root},"reply_to":${parent?.id ?? null},"room":"${room}"`;
  const agentId = agent === null ? null : `"${agent}"`;
  return `${head},"agent_id":${agentId},"at":${entry.at},"message_hash":"${messageHash}","content":${JSON.stringify(content)}}`;
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
