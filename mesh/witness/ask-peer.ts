import { boardAddress } from '../../protocol/address.js';
import {
  readCount,
  readHashText,
  readList,
  readObject,
  readString,
} from '../../protocol/json.js';
import { PROOF_HASHES } from '../../protocol/limits.js';
import { jsonOf } from '../pull/fetch/fetch-page.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';
import type { PullSource } from '../pull/hooks.js';

export type Head = { origin: string; note: string };

/** What gossip takes of a page of `/api/mesh/peers`; nothing is believed. */
export type PageView = {
  heads: Head[];
  /** Our newest cosignatures that it shows, by board name. */
  acked: { name: string; size: number }[];
  /** The path of the page behind it. */
  next: string | null;
};

/** The same of `/api/mesh`: one head of each log. */
export type MeshView = PageView & {
  identity: string | null;
  evidenceCount: number;
};

const PEERS_MAX = 1000;
const PAGE_PEERS = 200;

/** Reads the document of anyone; null where it is none. */
export function readMeshView(body: Buffer): MeshView | null {
  const json = readObject(jsonOf(body));
  if (json === null || json.protocol !== 'reserve-mesh/1') return null;
  const peers = readList(json.peers, PEERS_MAX, readPeer) ?? [];
  const log = readObject(json.log);
  const own = headOf(log?.origin, log?.checkpoint);
  const shown = [own, ...peers.map(({ head }) => head)];
  const heads = new Map<string, Head>();
  for (const head of shown) {
    if (head !== null && !heads.has(head.origin)) heads.set(head.origin, head);
  }
  return {
    identity: readString(json.identity),
    heads: [...heads.values()],
    acked: peers.map(({ name, size }) => ({ name, size })),
    next: nextPath(json.next_before),
    evidenceCount: readCount(json.evidence_count) ?? 0,
  };
}

/** Reads a page of `/api/mesh/peers`; null where it is none. */
export function readPageView(body: Buffer): PageView | null {
  const json = readObject(jsonOf(body));
  const peers = readList(json?.data, PAGE_PEERS, readPeer);
  if (json === null || peers === null) return null;
  return {
    heads: peers.flatMap(({ head }) => head ?? []),
    acked: peers.map(({ name, size }) => ({ name, size })),
    next: nextPath(json.next_before),
  };
}

function nextPath(before: unknown): string | null {
  return typeof before === 'string' && /^[\w-]{1,32}$/.test(before)
    ? `/api/mesh/peers?before=${before}&limit=${PAGE_PEERS}`
    : null;
}

function headOf(origin: unknown, note: unknown): Head | null {
  return typeof origin === 'string' && typeof note === 'string'
    ? { origin, note }
    : null;
}

function readPeer(value: unknown) {
  const json = readObject(value);
  if (json === null) return null;
  return {
    name: readString(json.name) ?? '',
    size: readCount(json.acked_size) ?? 0,
    head: headOf(json.origin, json.last_checkpoint),
  };
}

type ListedLog = { name: string; origin: string; logVkey: string };

/** What a board says of ours among its peers; null where it says nothing. */
export async function listedAt(
  client: PeerClient,
  url: string,
  board: string,
  signal?: AbortSignal,
): Promise<ListedLog | null> {
  const peers = await listedLogs(client, url, signal);
  return peers?.find(({ name }) => name === board) ?? null;
}

/** The logs that a board lists among its peers; null where it lists none. */
export async function listedLogs(
  client: PeerClient,
  url: string,
  signal?: AbortSignal,
): Promise<ListedLog[] | null> {
  const base = boardAddress(url);
  if (base === null) return null;
  const answer = await client.get(base, '/api/mesh', { signal });
  if (!answer.ok || answer.value.status !== 200) return null;
  const document = readObject(jsonOf(answer.value.body));
  return readList(document?.peers, PEERS_MAX, (value) => {
    const peer = readObject(value);
    const name = readString(peer?.name);
    const origin = readString(peer?.origin);
    const logVkey = readString(peer?.log_vkey);
    return name === null || origin === null || logVkey === null
      ? null
      : { name, origin, logVkey };
  });
}

const PROOF_BYTES = 16_384;

/** `refused`: the log answered, and not with a proof. */
type AskedProof = Uint8Array[] | 'refused' | 'unreachable';

/** Asks a log for the proof that one of its sizes continues another. */
export async function askConsistency(
  client: PeerClient,
  { baseUrl, prefix }: PullSource,
  from: number,
  to: number,
  signal?: AbortSignal,
): Promise<AskedProof> {
  const path = `${prefix}/consistency?from=${from}&to=${to}`;
  const call = { signal, maxBytes: PROOF_BYTES };
  const answer = await client.get(baseUrl, path, call);
  if (!answer.ok || answer.value.status >= 500) return 'unreachable';
  if (answer.value.status === 429) return 'unreachable';
  if (answer.value.status !== 200) return 'refused';
  const proof = readObject(jsonOf(answer.value.body));
  return readList(proof?.hashes, PROOF_HASHES, readHashText) ?? 'refused';
}
