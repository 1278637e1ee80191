import { createHash } from 'node:crypto';
import { formatVkey } from '../../../protocol/vkey.js';
import { nodeOnPort } from '../peers/node-on-port.js';
import { type Asked, HostilePeer, sendJson } from '../support/hostile-peer.js';
import { ScriptedLog } from '../support/scripted-log.js';

export const AT = 1_768_478_400_000;

/** A lying board: what it shows now, and of whom it speaks. */
export type FakeBoard = Awaited<ReturnType<typeof fakeBoard>> & {
  /** What its document states; absent: nothing. */
  level?: unknown;
  refusesProofs?: number;
  /** Whether a path below `/api` is left without any answer for now. */
  silent?: (path: string) => boolean;
  refusesEvidence?: number;
  refusesPages?: number;
};

/** A row of its peers; other members are shown as they are. */
type Listed = { origin: string; head: string } & Record<string, unknown>;

export type FakeBoards = { boards: FakeBoard[]; stop(): Promise<void> };

export async function fakeBoards(count: number): Promise<FakeBoards> {
  const boards: FakeBoard[] = [];
  while (boards.length < count) boards.push(await fakeBoard());
  const stop = async () => {
    for (const board of boards) await board.stop();
  };
  return { boards, stop };
}

/** A node, whose workers have not begun, and boards that lie to it. For `given`. */
export const nodeAndFakes = (count: number) => async () => {
  const node = await nodeOnPort({ env: { ROLES: 'api' } });
  const fakes = await fakeBoards(count);
  const stop = async () => {
    await node.stop();
    await fakes.stop();
  };
  return { node, fakes, stop };
};

let made = 0;

async function fakeBoard() {
  made += 1;
  const name = `fake-${made}.example`;
  const first = new ScriptedLog(name, AT);
  const peer = await HostilePeer.start(first);
  const { url } = peer;
  const { origin, keys } = first;
  const who = { name, url, origin, ...keys, identity: first.identity(url) };
  first.entry({ type: 'board', at: AT, embedded: who.identity });
  const board = {
    who,
    logVkey: formatVkey(keys.log.vkey),
    /** The history it serves; another one can be put here at any time. */
    get log() {
      return peer.log;
    },
    set log(log: ScriptedLog) {
      peer.log = log;
    },
    /** Heads it shows of others, as `last_checkpoint`s. */
    gossip: [] as Listed[],
    /** The same on a page of `/api/mesh/peers`. */
    behind: [] as Listed[],
    unchanged: 0,
    documents: 0,
    /** Evidence it serves, as JSON text by SHA-256. */
    evidence: new Map<string, { origin: string; text: string }>(),
    asked: peer.asked,
    /** Ends every wait, so that pullers see the new history at once. */
    turn: (log: ScriptedLog) => {
      peer.log = log;
      peer.wake();
    },
    stop: () => peer.stop(),
  };
  peer.mode = (asked) => answer(board, asked);
  return board;
}

function answer(board: FakeBoard, { path, query, req, res }: Asked): boolean {
  if (board.silent?.(path) === true) return true;
  const isAhead = Number(query.get('to')) > board.log.size;
  const refusesProofs = board.refusesProofs ?? (isAhead ? 400 : undefined);
  if (req.method === 'POST') {
    req.resume();
    res.writeHead(204).end();
  } else if (path === '/api/mesh') sendJson(res, documentOf(board));
  else if (path === '/api/mesh/peers' && board.refusesPages !== undefined) {
    sendJson(res, { error: 'unavailable' }, board.refusesPages);
  } else if (path === '/api/mesh/peers') {
    const page = { data: peersOf(board.behind), next_before: null };
    const text = JSON.stringify(page);
    const etag = `"${createHash('sha256').update(text).digest('hex')}"`;
    res.setHeader('ETag', etag);
    if (req.headers['if-none-match'] === etag) {
      board.unchanged += 1;
      res.writeHead(304).end();
    } else sendJson(res, page);
  } else if (path === '/log/consistency' && refusesProofs !== undefined) {
    sendJson(res, { error: 'invalid_input' }, refusesProofs);
  } else if (!path.startsWith('/api/mesh/evidence')) return false;
  else if (board.refusesEvidence !== undefined) {
    sendJson(res, { error: 'unavailable' }, board.refusesEvidence);
  } else if (path === '/api/mesh/evidence') {
    const data = [...board.evidence].map(([sha256, { origin }]) => ({
      ...{ sha256, origin, kind: 'equivocation' },
    }));
    sendJson(res, { data, count: data.length });
  } else {
    const found = board.evidence.get(path.slice(19));
    if (found === undefined) return false;
    res.end(found.text);
  }
  return true;
}

function documentOf(board: FakeBoard): object {
  const { who, log, gossip, behind, evidence } = board;
  board.documents += 1;
  return {
    protocol: 'reserve-mesh/1',
    identity: who.identity,
    level: board.level,
    log: { origin: who.origin, checkpoint: log.head() },
    peers: peersOf(gossip),
    next_before: behind.length > 0 ? `${board.documents}-1` : null,
    evidence_count: evidence.size,
  };
}

function peersOf(shown: FakeBoard['gossip']): object[] {
  return shown.map(({ origin, head, ...more }) => ({
    ...more,
    name: origin.replace('/log', ''),
    origin,
    last_checkpoint: head,
    acked_size: 0,
  }));
}
