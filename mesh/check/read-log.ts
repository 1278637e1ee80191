import {
  type OpenedCheckpoint,
  openCheckpoint,
} from '../../protocol/checkpoint.js';
import {
  type FeedPage,
  feedPageFromJson,
  MESH_PROTOCOL,
  verifyFeedPage,
} from '../../protocol/feed-page.js';
import { readObject } from '../../protocol/json.js';
import type { KeyChain } from '../../protocol/key.js';
import { consistencyPlan } from '../../protocol/plan.js';
import { verifySignature } from '../../protocol/signing.js';
import {
  appendLeaf,
  emptyFrontier,
  type Frontier,
  frontierRoot,
  leafHash,
} from '../../protocol/tree.js';
import { formatVkey, type Vkey } from '../../protocol/vkey.js';
import { fetchPage, jsonOf } from '../pull/fetch/fetch-page.js';
import type { PullClient, PullSource } from '../pull/hooks.js';
import { formerBelow } from '../pull/take-page.js';
import { judgePage } from '../pull/verify/judge-page.js';
import type { KnownPost, NewPost } from '../pull/verify/judged.js';
import { type ParsedLeaf, parseLeaf } from '../pull/verify/prepare-page.js';
import type { TextRules } from '../pull/verify/text-rules.js';
import { badLine } from './bad-line.js';

/** As a mirror would take it, in memory. */
export type ReadLog = {
  source: PullSource;
  logVkey: Vkey;
  /** Why a page was refused or did not come; null where all were taken. */
  refusal: { reason: string; from: number; isPage: boolean } | null;
  head: OpenedCheckpoint | null;
  leaves: ParsedLeaf[];
  /** `index: reason` */
  invalid: string[];
  posts: Map<number, NewPost>;
  /** After later entries. */
  states: Map<number, KnownPost>;
  /** Up to the head. */
  whole: boolean;
};

export type LogToRead = {
  client: PullClient;
  source: PullSource;
  board: string;
  logVkey: Vkey;
  textRules: TextRules;
};

/** Of 256 entries; the rest of a longer log is not judged. */
const PAGES = 64;

/** By the steps of a mirror (spec/mesh.md §B7). */
export async function readLog(of: LogToRead): Promise<ReadLog> {
  const { client, source, board, logVkey, textRules } = of;
  const read: ReadLog = {
    source,
    logVkey,
    refusal: null,
    head: null,
    whole: false,
    leaves: [],
    invalid: [],
    posts: new Map(),
    states: new Map(),
  };
  const chains = new Map<string, KeyChain>();
  const requests = new Set<string>();
  const keeping = { asked: 'all', keeps: true } as const;
  let frontier: Frontier = emptyFrontier();
  let lastMessageId = 0;
  let lastAt = 0;
  let firstMessageId = 0;
  for (let pages = 0; pages < PAGES && !read.whole; pages += 1) {
    const from = frontier.size;
    const wish = { from, limit: 256, content: 'all', wait: 0 } as const;
    const page = await fetchPage(client, { source, logVkey, ...wish });
    const verified = page.ok
      ? verifyFeedPage(page.value, frontier, logVkey)
      : page;
    if (!page.ok || !verified.ok) {
      const code = verified.ok ? 'feed_corrupt' : verified.reason;
      const reason = code === 'no_json' ? 'feed_corrupt' : code;
      const isPage = page.ok && code !== 'feed_corrupt';
      const path = `${source.prefix}/feed?from=${from}&limit=256&content=all`;
      const said = page.ok
        ? pageFault(page.value, reason, logVkey)
        : await shapeFault(client, source.baseUrl, path, reason);
      return { ...read, refusal: { reason: said, from, isPage } };
    }
    const leaves = page.value.entries.map(parseLeaf);
    const log = { origin: logVkey.name, firstMessageId };
    const judged = judgePage(leaves, {
      board,
      chains,
      posts: read.states,
      requests,
      keeping,
      textRules,
      lastMessageId,
      lastAt,
      verify: verifySignature,
      logVkey: formatVkey(logVkey),
      firstIndex: from,
      formerBelow: formerBelow(log, leaves),
    });
    for (const [agent, chain] of judged.chains) chains.set(agent, chain);
    for (const request of judged.requests) requests.add(request);
    for (const post of judged.posts) {
      read.posts.set(post.id, post);
      read.states.set(post.id, post);
    }
    for (const [id, post] of judged.changed) read.states.set(id, post);
    for (const { index, fault, leaf } of judged.entries) {
      const line = fault === 'bad_entry' ? badLine(leaf) : '';
      if (fault !== null) read.invalid.push(`${index}: ${fault}${line}`);
    }
    read.leaves.push(...leaves);
    firstMessageId ||= judged.posts[0]?.id ?? 0;
    ({ lastMessageId, lastAt } = judged);
    frontier = verified.value.frontier;
    read.head = verified.value.checkpoint;
    read.whole = frontier.size === read.head.size;
  }
  return read;
}

const WELL_FORMED = {
  protocol: MESH_PROTOCOL,
  origin: '',
  from: 0,
  to: 0,
  checkpoint: '',
  consistency: [],
  entries: [],
};

/** Asks again for a page that is none, and names the members that spoil it. */
async function shapeFault(
  client: PullClient,
  base: string,
  path: string,
  reason: string,
): Promise<string> {
  if (reason !== 'feed_corrupt') return reason;
  const answer = await client.get(base, path, {});
  const json = answer.ok ? readObject(jsonOf(answer.value.body)) : null;
  if (json === null) return `${reason}: no JSON object`;
  const bad = Object.keys(WELL_FORMED).filter((name) => {
    const page = { ...WELL_FORMED, [name]: json[name] };
    return !feedPageFromJson(page).ok;
  });
  const why = bad.map((name) =>
    json[name] === undefined
      ? `no \`${name}\``
      : `\`${name}\` has another form`,
  );
  return [reason, why.join(', ')].join(': ');
}

/** The reason of `verifyFeedPage`, in words where it is no code of mesh.md. */
export function pageFault(
  { from, to, checkpoint, consistency, entries }: FeedPage,
  reason: string,
  logVkey: Vkey,
): string {
  const head = openCheckpoint(checkpoint, logVkey);
  if (reason === 'feed_corrupt') {
    return `${reason}: \`from\` ${from} and \`to\` ${to} with ${entries.length} entries`;
  }
  if (reason !== 'root_mismatch' || !head.ok) return reason;
  const { size } = head.value;
  if (to === size) return "its entries have another root than the head's";
  const [came, needed] = [consistency.length, consistencyPlan(to, size).length];
  const why =
    came === needed
      ? `its ${came} hashes lead to other roots`
      : `${came} hashes came, ${needed} are needed`;
  return `\`consistency\` does not prove size ${to} → ${size} (${why})`;
}

/** Of the first `size` entries. */
export function frontierAt({ leaves }: ReadLog, size: number): Frontier {
  let frontier = emptyFrontier();
  for (const { leaf } of leaves.slice(0, size)) {
    frontier = appendLeaf(frontier, leafHash(leaf)).frontier;
  }
  return frontier;
}

export function rootAt(log: ReadLog, size: number): Uint8Array {
  return frontierRoot(frontierAt(log, size));
}

/** By `index`. */
export function missingTexts({ states, posts }: ReadLog): string[] {
  return [...states.values()]
    .filter(({ state }) => state.status === 'missing')
    .map(({ id }) => String(posts.get(id)?.index));
}
