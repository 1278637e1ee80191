import {
  type Content,
  contentFromJson,
  type contentToJson,
} from '../../../protocol/content.js';
import type { EmbeddedPost, PostEntry } from '../../../protocol/entry.js';
import { parseJson, readObject } from '../../../protocol/json.js';
import { currentSeq, type KeyChain } from '../../../protocol/key.js';

export type LoggedPost = {
  index: number;
  entry: PostEntry;
  post: EmbeddedPost;
};

/** All but the text is the log's. `messageHash` in base64. */
export function messageLine(
  { index, entry, post: { statement } }: LoggedPost,
  messageHash: string,
  content: ReturnType<typeof contentToJson> | null,
): string {
  const { room, agent, parent } = statement;
  // Needs no escapes.
  const head = `{"index":${index},"id":${entry.id},"root_id":${entry.root},"reply_to":${parent?.id ?? null},"room":"${room}"`;
  const agentId = agent === null ? null : `"${agent}"`;
  return `${head},"agent_id":${agentId},"at":${entry.at},"message_hash":"${messageHash}","content":${JSON.stringify(content)}}`;
}

/** Undefined: no message line. The caller MUST compare the whole line. */
export function contentOfLine(
  line: string | undefined,
): Content | null | undefined {
  const json = readObject(parseJson(line ?? null));
  if (json?.content === null) return null;
  const content = contentFromJson(json?.content);
  return content.ok ? content.value : undefined;
}

/** In log order, with conflicts. */
export type BundledKeys = {
  chain: KeyChain;
  notes: string[];
  indexes: number[];
};

/** `keys.jsonl`, as `/api/keys/{agent_id}`. */
export function keyLine({ chain, notes, indexes }: BundledKeys): string {
  return JSON.stringify({
    agent_id: chain.agent,
    status: chain.status,
    key_seq: currentSeq(chain),
    events: notes,
    log_indexes: indexes,
  });
}

/** LF after every line. */
export function fileOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
