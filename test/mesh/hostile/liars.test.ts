import { createHash } from 'node:crypto';
import http from 'node:http';
import { utf8 } from '../../../protocol/bytes.js';
import { encodeEntryBundle } from '../../../protocol/tile.js';
import { recordFaults } from '../../faults/report.js';
import { LIFTED_KEYS } from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';
import { type Serving, serving } from '../../support/serving.js';
import { until } from '../../support/until.js';
import {
  HostilePeer,
  type Mode,
  peerWith,
  sendJson,
} from '../support/hostile-peer.js';
import { ScriptedLog } from '../support/scripted-log.js';
import { meshBoard } from '../support/two-boards.js';
import { pageLies } from './page-lies.js';
import { wireLies } from './wire-lies.js';

/** Entries of each log that are told before it begins to lie. */
const HONEST = 3;

type Liar = {
  name: string;
  code: string | null;
  log: ScriptedLog;
  peer: HostilePeer;
};
type Shown = {
  name: string;
  status: string;
  mirrored_size: number;
  last_error: { code: string; at: string } | null;
  invalid_entries: number;
};

/** The lying peers of the specification (spec/mesh.md §B7), all at once. */
describe('a board among liars', () => {
  let b: TestBoard;
  let honest: HostilePeer;
  let canary: Serving;
  let hits = 0;
  let lie = () => {};
  const lying = new Promise<void>((resolve) => {
    lie = resolve;
  });
  const liars: Liar[] = [];

  before(async () => {
    b = await meshBoard('board-b.example', {
      lifted: true,
      limits: LIFTED_KEYS,
    });
    const server = http.createServer((_req, res) => {
      hits += 1;
      res.end('{}');
    });
    canary = await serving(server);
    const at = b.clock.now() - 1000;
    const wire = wireLies(`${canary.url}/inside`);
    const lies = [
      ...wire.map(({ mode, ...lie }) => ({ ...lie, lie: () => mode })),
      ...pageLies(),
    ];
    for (const [nth, { name, code, lie: make }] of lies.entries()) {
      const log = new ScriptedLog(`liar-${nth}.example`, at);
      for (let post = 0; post < HONEST; post += 1) log.post();
      const body = `A lie of ${log.board}`;
      for (let post = 0; post < 3; post += 1) log.post({ content: { body } });
      const peer = await HostilePeer.start(log);
      peer.mode = honestAtFirst(log, make(log));
      liars.push({ name, code, log, peer });
      await peerWith(b, peer);
    }
    const log = new ScriptedLog('honest.example', at);
    log.post();
    honest = await HostilePeer.start(log);
    await peerWith(b, honest);
    await until('the beginnings', async () =>
      (await shown()).every(({ name, mirrored_size: size }) => {
        return size === (name === 'honest.example' ? 1 : HONEST);
      }),
    );
  });

  after(async () => {
    await b.stop();
    for (const { peer } of liars) await peer.stop();
    await honest.stop();
    await canary.stop();
  });

  function honestAtFirst(log: ScriptedLog, mode: Mode): Mode {
    return async (asked) => {
      if (asked.path !== '/log/feed') return false;
      const from = Number(asked.query.get('from'));
      if (from < HONEST) {
        sendJson(asked.res, log.page(from, 256, 'all', HONEST));
        return true;
      }
      await lying;
      return await mode(asked);
    };
  }

  async function shown(): Promise<Shown[]> {
    return (await b.as().get('/api/mesh')).body.peers;
  }

  function sizeOf(name: string): number {
    const liar = liars.find(({ log }) => log.board === name);
    return (liar?.log ?? honest.log).size;
  }

  async function errorsOf(): Promise<Map<string, string | null>> {
    const peers = await shown();
    return new Map(
      liars.map(({ name, log }) => {
        const peer = peers.find((one) => one.name === log.board);
        return [name, peer?.last_error?.code ?? null];
      }),
    );
  }

  async function arrives(): Promise<void> {
    const { id } = honest.log.post();
    honest.wake();
    const path = `/api/mesh/boards/honest.example/messages/${id}`;
    await until('the honest text', async () => {
      return (await b.as().get(path)).status === 200;
    });
  }

  /** All but those that are never heard to the end. */
  const caught = () => liars.filter(({ code }) => code !== null);

  /** A busy machine may take the time out of any connection. */
  async function tryAgain(due: Liar[]): Promise<void> {
    await b.board.context.writes.query(
      `UPDATE peer SET retry_at = NULL
       WHERE last_error_code IN ('timeout', 'stopped') AND name = ANY($1)`,
      [due.map(({ log }) => log.board)],
    );
    await wakeAll();
  }

  async function wakeAll(): Promise<void> {
    await b.board.context.writes.query("SELECT pg_notify('board_peers', '')");
  }

  it('finds each lie out, by its name, and hears the honest one', async () => {
    lie();
    await arrives();
    let found = new Map<string, string | null>();
    await until('every lie by its name', async () => {
      found = await errorsOf();
      const due = caught().filter(({ name, code }) => found.get(name) !== code);
      await tryAgain(due);
      return due.length === 0;
    }).catch((error: unknown) => {
      throw new Error(JSON.stringify([...found]), { cause: error });
    });
    await arrives();
    expect((await b.as().get('/healthz')).status).to.equal(200);
    await recordFaults({ test: 'F14 liars', faults: liars.length });
    const long = liars.filter(({ name }) => / entries$/.test(name));
    await recordFaults({ test: 'F3 items', faults: long.length });
  });

  /** The log as this board serves it ends where the lies begin. */
  async function toldNothing({ name, log }: Liar): Promise<void> {
    const hash = createHash('sha256').update(log.origin).digest('hex');
    const read = (path: string) => fetch(`${b.url}/mirror/${hash}/${path}`);
    const bundle = await read(`tile/entries/000.p/${HONEST}`);
    const leaves = encodeEntryBundle(log.leaves.slice(0, HONEST).map(utf8));
    const served = Buffer.from(await bundle.arrayBuffer());
    expect(served.equals(leaves), name).to.equal(true);
    const more = await read(`tile/entries/000.p/${HONEST + 1}`);
    expect(more.status, name).to.equal(404);
    const head = await (await read('checkpoint')).text();
    expect(head.startsWith(log.head(HONEST)), name).to.equal(true);
  }

  it('serves no byte of a lie', async () => {
    await Promise.all(liars.map(toldNothing));
    const { body } = await b.as().get('/api/mesh/search?q=A%20lie%20of');
    expect(body.count).to.equal(0);
    expect((await b.as().get('/api/mesh/evidence')).body.count).to.equal(0);
    expect(hits).to.equal(0);
    const quarantined = (await shown()).filter(
      ({ status }) => status === 'quarantined',
    );
    expect(quarantined).to.eql([]);
  });

  it('remembers over a restart whom to leave alone, and how long', async () => {
    const backedOff = async () => {
      const names = caught().map(({ log }) => log.board);
      const peers = await b.board.peerAdmin.list();
      return peers.filter(({ name }) => names.includes(name));
    };
    const before = await backedOff();
    const asked = new Map(
      liars.map(({ log, peer }) => [log.board, peer.feeds]),
    );
    await b.restart();
    await arrives();
    const early = (await backedOff()).flatMap(({ name, retry_at }) => {
      const known = before.find((peer) => peer.name === name);
      const liar = liars.find(({ log }) => log.board === name);
      // A slow run takes longer than the shortest of these times.
      if (Date.parse(known?.retry_at ?? '') <= b.clock.now()) return [];
      expect(retry_at, name).to.be.a('string').and.equal(known?.retry_at);
      expect(liar?.peer.feeds, name).to.equal(asked.get(name));
      return [name];
    });
    expect(early).not.to.deep.equal([]);
  });

  it('takes everybody up again who behaves', async () => {
    for (const { peer } of liars) {
      peer.mode = () => false;
      peer.hangUp();
    }
    // Other software is asked again after a day, or when an operator says so.
    for (const { name, last_error } of await shown()) {
      if (last_error?.code !== 'unsupported_protocol') continue;
      const { retry_at } = await b.board.peerAdmin.read(name);
      const hours = (Date.parse(retry_at ?? '') - b.clock.now()) / 3_600_000;
      expect(hours).to.be.within(20, 24);
      await b.board.peerAdmin.resume(name);
    }
    await until('all logs', async () => {
      // However long each is left alone by now: up to an hour after many tries.
      const times = (await b.board.peerAdmin.list()).map(({ retry_at }) =>
        Date.parse(retry_at ?? ''),
      );
      const latest = Math.max(...times.filter(Number.isFinite));
      if (latest > b.clock.now()) b.clock.set(latest);
      await wakeAll();
      return (await shown()).every(
        (peer) =>
          peer.mirrored_size === sizeOf(peer.name) && peer.last_error === null,
      );
    });
    const { body } = await b.get('/api/mesh/search?q=A%20lie%20of&limit=100');
    expect(body.count).to.equal(100);
    expect((await shown()).map((peer) => peer.invalid_entries)).to.eql(
      (await shown()).map(() => 0),
    );
  });
});
