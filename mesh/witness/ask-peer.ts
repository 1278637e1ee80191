import { boardAddress } from '../../protocol/address.js';
import { openCheckpoint } from '../../protocol/checkpoint.js';
import { MESH_PROTOCOL, speaksOther } from '../../protocol/feed-page.js';
import {
  readCount,
  readHashText,
  readList,
  readObject,
  readString,
} from '../../protocol/json.js';
import { PROOF_HASHES } from '../../protocol/limits.js';
import { accepted, refused, type Verdict } from '../../protocol/verdict.js';
import type { Vkey } from '../../protocol/vkey.js';
import type { Witnessed } from '../../server/ledger/rollback-checks.js';
import { serves } from '../peer-port.js';
import { readLevel } from '../peers/levels.js';
import { type ListedPeer, listedPeers } from '../peers/listed-peers.js';
import { jsonOf } from '../pull/fetch/fetch-page.js';
import type { PeerClient, PeerFault } from '../pull/fetch/peer-client.js';
import type { PullSource } from '../pull/hooks.js';

export type Head = { origin: string; note: string };

/** What is taken of a page of `/api/mesh/peers`; nothing is believed. */
export type PageView = {
  peers: ListedPeer[];
  next: string | null;
};

/** The same of `/api/mesh`. */
export type MeshView = NonNullable<ReturnType<typeof readMeshView>>;

const PAGE_PEERS = 200;
/** Pages that are read behind a document. */
export const PAGES_MAX = 10;

/**
 * Reads the document of anyone; null where it is none. It names the protocol
 * or has an identity, so that no other JSON is taken for one.
 */
export function readMeshView(body: Buffer) {
  const json = readObject(jsonOf(body));
  const identity = readString(json?.identity);
  if (json === null || speaksOther(json)) return null;
  if (identity === null && json.protocol !== MESH_PROTOCOL) return null;
  const log = readObject(json.log);
  const level = readLevel(json.level);
  return {
    identity,
    level,
    /** The head that it shows of its own log. */
    own: headOf(log?.origin, log?.checkpoint),
    peers: listedPeers(json.peers),
    next: serves({ level }, 'witness') ? nextPath(json.next_before) : null,
    messages: messagesOf(json.board),
    evidenceCount: readCount(json.evidence_count) ?? 0,
    generatedAt: readString(json.generated_at),
  };
}

/** How many texts a board says that it serves; null where it does not. */
export function messagesOf(board: unknown) {
  const messages = readObject(readObject(board)?.messages);
  const signed = readCount(messages?.signed);
  const guest = readCount(messages?.guest);
  return signed === null || guest === null ? null : { signed, guest };
}

/** Of `/api/mesh/peers`; null where it is none. */
export function readPageView(body: Buffer): PageView | null {
  const json = readObject(jsonOf(body));
  return Array.isArray(json?.data)
    ? { peers: listedPeers(json.data), next: nextPath(json.next_before) }
    : null;
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

/** The heads that a board shows of other logs. */
export function headsOf(peers: readonly ListedPeer[]): Head[] {
  return peers.flatMap(
    (peer) => headOf(peer.origin, peer.last_checkpoint) ?? [],
  );
}

/** Null where no document came, for any reason. */
export async function readListing(
  client: PeerClient,
  url: string,
  board: string | null,
  signal?: AbortSignal,
): Promise<MeshView | null> {
  const listing = await askListing(client, url, board, signal);
  return listing.ok ? listing.value : null;
}

/**
 * The document of a board with all the peers that it lists, up to the page that
 * has the one that is looked for; else why not: `no_document` of an answer that
 * is no document or page.
 */
export async function askListing(
  client: PeerClient,
  url: string,
  board: string | null,
  signal?: AbortSignal,
): Promise<Verdict<MeshView, PeerFault | `http_${number}` | 'no_document'>> {
  const base = boardAddress(url);
  if (base === null) return refused('bad_url');
  const answer = await client.get(base, '/api/mesh', { signal });
  if (!answer.ok) return answer;
  const { status, body } = answer.value;
  if (status !== 200) return refused(`http_${status}`);
  const view = readMeshView(body);
  if (view === null) return refused('no_document');
  const isFound = () => view.peers.some(({ name }) => name === board);
  for (let read = 0; view.next !== null && read < PAGES_MAX; read += 1) {
    if (isFound()) break;
    // Without its page nobody is known to be missing.
    const page = await client.get(base, view.next, { signal });
    if (!page.ok) return page;
    const { status, body } = page.value;
    if (status !== 200) return refused(`http_${status}`);
    const more = readPageView(body);
    if (more === null) return refused('no_document');
    view.peers.push(...more.peers);
    view.next = more.next;
  }
  return accepted(view);
}

/** Null where we are not listed. */
export async function listedAt(
  client: PeerClient,
  url: string,
  board: string,
  signal?: AbortSignal,
): Promise<ListedPeer | null> {
  const view = await readListing(client, url, board, signal);
  return view?.peers.find(({ name }) => name === board) ?? null;
}

/** The head of our log that a board shows under our own key. */
export function witnessedBy(
  peer: string,
  checkpoint: string | null | undefined,
  vkey: Vkey,
): Witnessed[] {
  const opened = openCheckpoint(checkpoint ?? '', vkey);
  if (!opened.ok || opened.value.size === 0) return [];
  const { origin, size, root } = opened.value;
  return [{ peer, origin, size, root }];
}

const PROOF_BYTES = 16_384;

/** `refused`: an answer without a proof. */
type AskedProof = Uint8Array[] | 'refused' | 'unreachable';

/** That a larger size continues a smaller one. */
export async function askConsistency(
  client: PeerClient,
  source: PullSource,
  from: number,
  to: number,
  signal?: AbortSignal,
): Promise<AskedProof> {
  if (!serves(source, 'witness')) return 'refused';
  const { baseUrl, prefix } = source;
  const path = `${prefix}/consistency?from=${from}&to=${to}`;
  const call = { signal, maxBytes: PROOF_BYTES };
  const answer = await client.get(baseUrl, path, call);
  if (!answer.ok || answer.value.status >= 500) return 'unreachable';
  if (answer.value.status === 429) return 'unreachable';
  if (answer.value.status !== 200) return 'refused';
  const proof = readObject(jsonOf(answer.value.body));
  return readList(proof?.hashes, PROOF_HASHES, readHashText) ?? 'refused';
}
