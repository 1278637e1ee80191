import { expect } from 'chai';
import fc from 'fast-check';
import { fetchIdentity } from '../../../mesh/peers/fetch-identity.js';
import { PeerClient } from '../../../mesh/pull/fetch/peer-client.js';
import { openIdentity } from '../../../protocol/identity.js';
import { ready } from '../../../protocol/signing.js';
import { BoardError } from '../../../server/errors.js';
import { recordFaults } from '../../faults/report.js';
import { FULL } from '../../support/full.js';
import { chosenSeed } from '../../support/random.js';
import { HostilePeer } from '../support/hostile-peer.js';
import { ScriptedLog } from '../support/scripted-log.js';
import { type Json, lies } from './page-changes.js';

const RUNS = FULL ? 20_000 : 100;
/** What a board is told that cannot introduce itself. */
const REFUSALS = [
  ...['origin_unreachable', 'bad_note', 'bad_statement', 'weak_key'],
  ...['signature_invalid', 'invalid_input'],
];
const statuses = fc.constantFrom(200, 200, 200, 204, 301, 404, 429, 500);

describe('generated lies of a board about who it is', () => {
  const client = new PeerClient({ allowHttp: true, allowPrivate: true });
  let log: ScriptedLog;
  let peer: HostilePeer;

  before(async () => {
    await ready;
    log = new ScriptedLog('liar.example', Date.now());
    peer = await HostilePeer.start(log);
  });

  after(async () => {
    await client.close();
    await peer.stop();
  });

  it('introduce nobody but the board that signed, at the address it was asked', async () => {
    const note = log.identity(peer.url);
    const opened = openIdentity(note);
    if (!opened.ok) throw new Error('the honest identity is none');
    const honest: Json = {
      protocol: 'reserve-board/mesh/v1',
      identity: note,
      head: log.head(),
      board: { title: 'A liar', messages: { signed: 1, guest: 0 } },
      peers: [{ name: 'a.example', url: 'https://a.example', trust: 'relay' }],
    };
    const ends = new Set<string>();
    const seed = chosenSeed();
    const told = fc.asyncProperty(lies, statuses, async (it, status) => {
      peer.mode = ({ path, res }) => {
        if (path !== '/api/mesh') return false;
        let answer: Json = structuredClone(honest);
        for (const change of it.changes) answer = change(answer, log);
        res.writeHead(status, { 'Content-Type': 'application/json' });
        res.end(it.written(JSON.stringify(answer) ?? ''));
        return true;
      };
      const got = await fetchIdentity(client, peer.url).catch(
        (error: unknown) => error,
      );
      if (got instanceof Error) {
        expect(got).to.be.instanceOf(BoardError);
        const { code, detail } = got as BoardError;
        expect(REFUSALS, detail).to.include(code);
        expect(detail).to.match(/^[ -~]{1,400}$/);
        ends.add(code);
        return;
      }
      const { identity } = got as { identity: object };
      expect(identity).to.deep.equal(opened.value);
      ends.add('introduced');
    });
    await fc.assert(told, {
      numRuns: RUNS,
      seed,
      includeErrorInReport: true,
    });
    expect([...ends]).to.include.members(['introduced', 'origin_unreachable']);
    await recordFaults({ test: 'F18 identity', seed, faults: RUNS });
  });
});
