import {
  parseJson,
  readCount,
  readObject,
  readString,
} from '../../protocol/json.js';

/** Advisory (spec/mesh.md §B6). */
export type ListedPeer = NonNullable<ReturnType<typeof listedPeer>>;

function listedPeer(item: unknown) {
  const peer = readObject(item);
  if (peer === null) return null;
  const text = (name: string) => readString(peer[name]) ?? '';
  const size = (name: string) => readCount(peer[name]) ?? 0;
  return {
    name: text('name'),
    origin: text('origin'),
    log_vkey: text('log_vkey'),
    trust: text('trust'),
    status: text('status'),
    mirrored_size: size('mirrored_size'),
    acked_size: size('acked_size'),
    last_checkpoint: readString(peer.last_checkpoint),
  };
}

const LISTED_MAX = 1000;

/** From `peers` or `data`; invalid ones are left out. */
export function listedPeers(list: unknown): ListedPeer[] {
  const items = Array.isArray(list) ? list.slice(0, LISTED_MAX) : [];
  return items.flatMap((item) => listedPeer(item) ?? []);
}

export function peersIn(document: string | null): ListedPeer[] {
  return listedPeers(readObject(parseJson(document))?.peers);
}

/** Of a peer's row. */
const KEPT_BYTES = 262_144;

/** Numbers of texts, and peers, `first` those that matter here. */
export function keptDocument(
  messages: unknown,
  peers: readonly ListedPeer[],
  first: (peer: ListedPeer) => boolean,
): string {
  const kept: object[] = [];
  let left = KEPT_BYTES - 1024;
  const inOrder = [...peers.filter(first), ...peers.filter((it) => !first(it))];
  for (const { acked_size: _, last_checkpoint: __, ...peer } of inOrder) {
    left -= Buffer.byteLength(JSON.stringify(peer)) + 1;
    if (left < 0) break;
    kept.push(peer);
  }
  return JSON.stringify({ board: { messages }, peers: kept });
}
