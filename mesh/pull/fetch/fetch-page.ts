import { fromUtf8 } from '../../../protocol/bytes.js';
import { openCheckpoint } from '../../../protocol/checkpoint.js';
import { type Content, contentFromJson } from '../../../protocol/content.js';
import {
  type FeedPage,
  feedPageFromJson,
} from '../../../protocol/feed-page.js';
import { parseJson, readObject, readString } from '../../../protocol/json.js';
import { refused, type Verdict } from '../../../protocol/verdict.js';
import type { Vkey } from '../../../protocol/vkey.js';
import { serves } from '../../peer-port.js';
import type { PullClient, PullSource } from '../hooks.js';
import { matching } from '../verify/judge-post.js';
import type { Keeping } from '../verify/judged.js';
import type { PeerAnswer, PeerFault } from './peer-client.js';

/** Where, and under which key. */
export type PageWish = {
  source: PullSource;
  logVkey: Vkey;
  from: number;
  limit: number;
  content: Keeping['asked'];
  /** In seconds. */
  wait: number;
};

/** `http_404` and the like: an answer, but no page. */
export type FetchFault =
  | PeerFault
  | 'feed_corrupt'
  | 'rolled_back'
  | 'unsupported_protocol'
  /** Of a proxy, perhaps. */
  | 'no_json'
  | `http_${number}`;

export function jsonOf(body: Buffer): unknown {
  return parseJson(fromUtf8(body));
}

/** Not verified (spec/mesh.md §B4). */
export async function fetchPage(
  client: PullClient,
  { source, logVkey, from, limit, content, wait }: PageWish,
  signal?: AbortSignal,
): Promise<Verdict<FeedPage, FetchFault>> {
  const query = `from=${from}&limit=${limit}&content=${content}&wait=${wait}`;
  const path = `${source.prefix}/feed?${query}`;
  const answer = await client.get(source.baseUrl, path, { signal });
  if (!answer.ok) return answer;
  const { status, body } = answer.value;
  if (status === 200) {
    const json = jsonOf(body);
    return json === null ? refused('no_json') : feedPageFromJson(json);
  }
  if (status === 409 && isBehind(answer.value, logVkey, from)) {
    return refused('rolled_back');
  }
  return refused(`http_${status}`);
}

/** `cursor_ahead` with the log's own smaller head. */
function isBehind({ body }: PeerAnswer, logVkey: Vkey, from: number): boolean {
  const checkpoint = readString(readObject(jsonOf(body))?.checkpoint);
  if (checkpoint === null) return false;
  const opened = openCheckpoint(checkpoint, logVkey);
  return opened.ok && opened.value.size < from;
}

/** Checked against the log's hash; else removed, absent or unreachable. */
export async function fetchContent(
  client: PullClient,
  source: PullSource,
  post: { logIndex: number; contentHash: Uint8Array },
  signal?: AbortSignal,
): Promise<Content | 'gone' | 'unreachable'> {
  const { baseUrl, prefix, level } = source;
  const { logIndex: index } = post;
  const call = { signal, maxBytes: 262_144 };
  const ask = (query: string) =>
    client.get(baseUrl, `${prefix}/${query}`, call);
  const fed = `feed?from=${index}&limit=1&content=all&wait=0`;
  let isOfFeed = !serves(source, 'witness');
  let answer = await ask(isOfFeed ? fed : `content?index=${index}`);
  // A board that states no level is judged by what it serves (spec/mesh.md §B6).
  if (level === null && answer.ok && answer.value.status === 404) {
    isOfFeed = true;
    answer = await ask(fed);
  }
  if (!answer.ok) {
    const bad = ['too_large', 'bad_encoding', 'redirected'];
    return bad.includes(answer.reason) ? 'gone' : 'unreachable';
  }
  const { status, body } = answer.value;
  if (status !== 200) {
    return status === 404 || status === 410 ? 'gone' : 'unreachable';
  }
  const json = jsonOf(body);
  const sent = isOfFeed ? contentOfPage(json) : contentOf(json);
  return matching(sent, post.contentHash) ?? 'gone';
}

function contentOf(json: unknown): Content | null {
  const content = contentFromJson(readObject(json)?.content);
  return content.ok ? content.value : null;
}

function contentOfPage(json: unknown): FeedPage['entries'][number]['content'] {
  const page = feedPageFromJson(json);
  return page.ok ? page.value.entries[0]?.content : null;
}
