import {
  readCount,
  readList,
  readObject,
  readString,
} from '../../protocol/json.js';

/** What gossip takes of another board's `/api/mesh`; nothing is believed. */
export type MeshView = {
  identity: string | null;
  heads: { origin: string; note: string }[];
  /** Their newest word of our cosignatures, by board name. */
  acked: { name: string; size: number }[];
  evidenceCount: number;
};

const PEERS_MAX = 1000;

/** Reads the document of anyone; null where it is none. */
export function readMeshView(text: string): MeshView | null {
  let json: Record<string, unknown> | null;
  try {
    json = readObject(JSON.parse(text));
  } catch {
    return null;
  }
  if (json === null || json.protocol !== 'reserve-mesh/1') return null;
  const peers = readList(json.peers, PEERS_MAX, readPeer) ?? [];
  const log = readObject(json.log);
  const own = headOf(log?.origin, log?.checkpoint);
  const others = peers.flatMap(({ head }) => (head === null ? [] : [head]));
  return {
    identity: readString(json.identity),
    heads: own === null ? others : [own, ...others],
    acked: peers.map(({ name, size }) => ({ name, size })),
    evidenceCount: readCount(json.evidence_count) ?? 0,
  };
}

function headOf(origin: unknown, note: unknown) {
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
