import http from 'node:http';
import { isIPv6, type LookupFunction } from 'node:net';
import { PeerClient } from '../../../mesh/pull/fetch/peer-client.js';
import { recordFaults } from '../../faults/report.js';
import { startBoard } from '../../support/board.js';
import { type Serving, serving } from '../../support/serving.js';
import { until } from '../../support/until.js';
import { ScriptedLog } from '../support/scripted-log.js';
import { confirmed, peerRow } from '../support/two-boards.js';
import { PUBLIC, SPECIAL, scripted } from './addresses.js';

/** Where nothing of other boards may lead; the last is added by few machines. */
const INSIDE = ['127.0.0.1', '::1', '0.0.0.0', '::', '169.254.169.254'];
/** Global by its prefix, and given to nobody. */
const NOBODY = '2fff::1';
const REFUSED = { ok: false, reason: 'address_refused' };

type Canary = Serving & { host: string };

/** A server that no test may reach; null where the machine has no such address. */
async function canary(host: string, hit: () => void): Promise<Canary | null> {
  const server = http.createServer((_req, res) => {
    hit();
    res.end('{}');
  });
  server.on('connection', hit);
  const made = await serving(server, host).catch(() => null);
  return made === null ? null : { host, ...made };
}

function spellings(host: string): string[] {
  if (isIPv6(host)) return [`[${host}]`, `[::ffff:127.0.0.1]`, '[0:0:0::1]'];
  const bytes = host.split('.').map(Number);
  const whole = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
  const hex = `0x${whole.toString(16).padStart(8, '0')}`;
  const octal = bytes.map((byte) => `0${byte.toString(8)}`).join('.');
  return [host, String(whole), hex, octal, '127.1', `${host}.`];
}

describe('servers inside that no peer can lead to (F6)', () => {
  const canaries: Canary[] = [];
  const clients: PeerClient[] = [];
  let hits = 0;

  before(async () => {
    for (const host of INSIDE) {
      const made = await canary(host, () => {
        hits += 1;
      });
      if (made !== null) canaries.push(made);
    }
    expect(canaries.map(({ host }) => host)).to.include('127.0.0.1');
  });

  after(async () => {
    for (const client of clients) await client.close();
    for (const one of canaries) await one.stop();
  });

  afterEach(() => expect(hits).to.equal(0));

  function strict(lookup?: LookupFunction): PeerClient {
    const client = new PeerClient({
      allowHttp: true,
      allowPrivate: false,
      timeouts: { connect: 300 },
      ...(lookup === undefined ? {} : { lookup }),
    });
    clients.push(client);
    return client;
  }

  it('would be reached by who may reach them', async () => {
    const open = new PeerClient({ allowHttp: true, allowPrivate: true });
    clients.push(open);
    const [first] = canaries;
    const url = `http://127.0.0.1:${first?.port}`;
    const answer = await open.get(url, '/');
    expect(answer.ok && answer.value.status).to.equal(200);
    expect(hits).to.be.at.least(1);
    hits = 0;
  });

  it('are not reached however their address is written', async () => {
    for (const { host, port } of canaries) {
      for (const spelling of spellings(host)) {
        for (const protocol of ['http:', 'https:']) {
          const url = `${protocol}//${spelling}:${port}`;
          const answers = [await strict().get(url, '/')];
          // As it is written, and as every URL parser reads it.
          if (URL.canParse(url)) {
            answers.push(await strict().get(new URL(url).origin, '/'));
          }
          const last = answers.at(-1);
          expect(last, url).to.eql(REFUSED);
          expect(answers.every(({ ok }) => !ok)).to.equal(true);
        }
      }
    }
  });

  it('are not reached by names that the machine itself resolves', async () => {
    const names = [
      ...[
        'localhost',
        'LOCALHOST',
        'localhost.',
        'a.localhost',
        '0',
        '127.0.1',
      ],
      ...['0x7f.0.0.1', '%31%32%37.0.0.1', '①②⑦.⓪.⓪.①', 'x@127.0.0.1'],
    ];
    for (const name of names) {
      for (const { port } of canaries) {
        const url = `http://${name}:${port}`;
        for (const written of [url, new URL(url).origin]) {
          const answer = await strict().get(written, '/');
          expect(answer.ok, written).to.equal(false);
        }
      }
    }
  });

  it('are not reached by a name, alone, in company, or the second time', async () => {
    const [canary] = canaries;
    const url = `http://peer.example:${canary?.port}`;
    let lookups = 0;
    const counted = (...answers: string[][]): LookupFunction => {
      const inner = scripted(...answers);
      return (hostname, options, callback) => {
        lookups += 1;
        inner(hostname, options, callback);
      };
    };
    for (const address of SPECIAL) {
      for (const found of [[address], [PUBLIC[1] ?? '', address]]) {
        const answer = await strict(counted(found)).get(url, '/');
        expect(answer, found.join()).to.eql(REFUSED);
      }
    }
    lookups = 0;
    const rebound = await Promise.all(
      SPECIAL.map((address) =>
        strict(counted([NOBODY], [address])).get(url, '/'),
      ),
    );
    expect(rebound.every(({ ok }) => !ok)).to.equal(true);
    expect(lookups).to.equal(SPECIAL.length);
    await recordFaults({ test: 'F6 names', faults: 3 * SPECIAL.length });
  });

  it('are not asked by a board whose peers stand there', async () => {
    const board = await startBoard({ env: { MESH_ALLOW_HTTP: 'on' } });
    try {
      for (const [nth, { host, port }] of canaries.entries()) {
        const url = `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
        const added = await board.board.peerAdmin
          .add(url)
          .catch(({ code }) => code);
        expect(added, url).to.be.a('string');
        const log = new ScriptedLog(`inside-${nth}.example`, 5);
        const { origin, keys } = log;
        const facts = { name: log.board, origin, url, identity: '', keys };
        const originId = await confirmed(board, facts, 'relay');
        await until('a refused pull', async () => {
          const row = await peerRow(board, originId);
          return row.lastErrorCode === 'address_refused';
        });
      }
      await board.board.background.peers.witness.round();
    } finally {
      await board.stop();
    }
  });
});
