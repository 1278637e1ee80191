import {
  readCount,
  readList,
  readObject,
  readString,
} from '../../protocol/json.js';

export type Head = { origin: string; note: string };

/** What gossip takes of another board's `/api/mesh`; nothing is believed. */
export type MeshView = {
  identity: string | null;
  /** One of each log: a board has one newest head of it. */
  heads: Head[];
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
  const shown = [own, ...peers.map(({ head }) => head)];
  const heads = new Map<string, Head>();
  for (const head of shown) {
    if (head !== null && !heads.has(head.origin)) heads.set(head.origin, head);
  }
  return {
    identity: readString(json.identity),
    heads: [...heads.values()],
    acked: peers.map(({ name, size }) => ({ name, size })),
    evidenceCount: readCount(json.evidence_count) ?? 0,
  };
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
