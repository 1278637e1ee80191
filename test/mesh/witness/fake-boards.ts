import http from 'node:http';
import { formatVkey } from '../../../protocol/vkey.js';
import { serving } from '../../support/serving.js';
import { FakeLog, type Persona, persona } from './fake-log.js';

/** A lying board: what it shows now, and of whom it speaks. */
export type FakeBoard = {
  who: Persona;
  logVkey: string;
  /** The history it serves; another one can be put here at any time. */
  log: FakeLog;
  /** Heads it shows of others, as `last_checkpoint`s. */
  gossip: { origin: string; head: string }[];
  /** Evidence it serves, as JSON text by SHA-256. */
  evidence: Map<string, { origin: string; text: string }>;
  /** Paths asked for, without their query. */
  asked: string[];
  /** Answers every proof of consistency with this status. */
  refusesProofs?: number;
  /** Whether a path below `/api` is left without any answer for now. */
  silent?: (path: string) => boolean;
  /** Answers evidence with this status. */
  refusesEvidence?: number;
  /** Ends every wait, so that pullers see the new history at once. */
  turn(log: FakeLog): void;
};

export type FakeBoards = { boards: FakeBoard[]; stop(): Promise<void> };

/**
 * Boards on one listener, told apart by their loopback addresses 127.0.1.1 and
 * on. They answer what peers ask and hold long polls until their log changes.
 */
export async function fakeBoards(count: number): Promise<FakeBoards> {
  const byName = new Map<string, FakeBoard>();
  const waits = new Set<() => void>();
  const server = http.createServer((req, res) => {
    const board = byName.get(String(req.headers.host));
    if (board === undefined) res.writeHead(404).end();
    else answer(board, req, res, waits);
  });
  const { port, stop } = await serving(server, '0.0.0.0');
  const boards = Array.from({ length: count }, (_, at) => {
    const host = `127.0.${1 + Math.floor(at / 250)}.${1 + (at % 250)}`;
    const board = fakeBoard(persona(`${host}:${port}`), waits);
    byName.set(board.who.name, board);
    return board;
  });
  return { boards, stop };
}

function fakeBoard(who: Persona, waits: Set<() => void>): FakeBoard {
  return {
    who,
    logVkey: formatVkey(who.log.vkey),
    log: new FakeLog(who),
    gossip: [],
    evidence: new Map(),
    asked: [],
    turn(log) {
      this.log = log;
      for (const look of waits) look();
    },
  };
}

function answer(
  board: FakeBoard,
  req: http.IncomingMessage,
  res: http.ServerResponse,
  waits: Set<() => void>,
): void {
  const url = new URL(req.url ?? '/', 'http://x');
  const number = (name: string) => Number(url.searchParams.get(name));
  const send = (value: unknown, status = 200) => {
    res.writeHead(status, { 'content-type': 'application/json' });
    res.end(typeof value === 'string' ? value : JSON.stringify(value));
  };
  board.asked.push(url.pathname);
  req.resume();
  if (board.silent?.(url.pathname) === true) return;
  if (req.method === 'POST') {
    res.writeHead(204).end();
  } else if (url.pathname === '/api/mesh') send(documentOf(board));
  else if (url.pathname === '/log/feed') {
    const from = number('from');
    const give = () => send(board.log.page(from, number('limit') || 256));
    const seen = board.log;
    if (number('wait') === 0 || seen.size !== from) {
      give();
      return;
    }
    const look = () => {
      if (board.log !== seen) end();
    };
    const end = () => {
      over();
      give();
    };
    // Who hears nothing when his wait is over takes that for a fault.
    const timer = setTimeout(end, number('wait') * 1000);
    const over = () => {
      clearTimeout(timer);
      waits.delete(look);
    };
    waits.add(look);
    res.once('close', over);
  } else if (url.pathname === '/log/consistency') {
    const [from, to] = [number('from'), number('to')];
    if (board.refusesProofs !== undefined) {
      send({ error: 'invalid_input' }, board.refusesProofs);
    } else if (to > board.log.size) send({ error: 'invalid_input' }, 400);
    else send({ from, to, hashes: board.log.consistency(from, to) });
  } else if (
    board.refusesEvidence !== undefined &&
    url.pathname.startsWith('/api/mesh/evidence')
  ) {
    send({ error: 'unavailable' }, board.refusesEvidence);
  } else if (url.pathname === '/api/mesh/evidence') {
    const data = [...board.evidence].map(([sha256, { origin }]) => ({
      sha256,
      origin,
      kind: 'equivocation',
    }));
    send({ data, count: data.length });
  } else if (url.pathname.startsWith('/api/mesh/evidence/')) {
    const found = board.evidence.get(url.pathname.slice(19));
    if (found === undefined) send({ error: 'not_found' }, 404);
    else send(found.text);
  } else send({ error: 'not_found' }, 404);
}

function documentOf({ who, log, gossip, evidence }: FakeBoard): object {
  return {
    protocol: 'reserve-mesh/1',
    identity: who.identity,
    log: { origin: who.origin, checkpoint: log.head() },
    peers: gossip.map(({ origin, head }) => ({
      name: origin.replace('/log', ''),
      origin,
      last_checkpoint: head,
      acked_size: 0,
    })),
    evidence_count: evidence.size,
  };
}
