import { expect } from 'chai';
import fc from 'fast-check';
import { fetchContent } from '../../../mesh/pull/fetch/fetch-page.js';
import { PeerClient } from '../../../mesh/pull/fetch/peer-client.js';
import { askConsistency } from '../../../mesh/witness/ask-peer.js';
import { verifyConsistency } from '../../../protocol/consistency.js';
import { contentFromJson, contentHash } from '../../../protocol/content.js';
import { ready } from '../../../protocol/signing.js';
import { recordFaults } from '../../faults/report.js';
import { FULL } from '../../support/full.js';
import { chosenSeed } from '../../support/random.js';
import { HostilePeer } from '../support/hostile-peer.js';
import { ScriptedLog } from '../support/scripted-log.js';
import { type Json, type Lies, lies } from './page-changes.js';

const RUNS = FULL ? 20_000 : 100;
const POSTS = 9;
const OLD = 5;

/** Statuses that an answer of any content may come with. */
const STATUSES = [200, 200, 200, 204, 400, 404, 409, 410, 429, 500, 503];
const statuses = fc.constantFrom(...STATUSES);

describe('generated lies of a mirror about texts and proofs', () => {
  const client = new PeerClient({ allowHttp: true, allowPrivate: true });
  let log: ScriptedLog;
  let peer: HostilePeer;
  const ends = new Map<string, number>();

  before(async () => {
    await ready;
    log = new ScriptedLog('liar.example', Date.now());
    for (let nth = 0; nth < POSTS; nth += 1) log.post();
    peer = await HostilePeer.start(log);
  });

  after(async () => {
    await client.close();
    await peer.stop();
  });

  const source = () => ({ baseUrl: peer.url, prefix: '/log' });
  const note = (end: string) => ends.set(end, (ends.get(end) ?? 0) + 1);

  /** The peer answers `path` with a true answer that is changed. */
  function tell(
    path: string,
    { changes, written }: Lies,
    status: number,
    honest: Json,
  ): void {
    peer.mode = (asked) => {
      if (asked.path !== path) return false;
      let answer = structuredClone(honest);
      for (const change of changes) answer = change(answer, log);
      asked.res.writeHead(status, { 'Content-Type': 'application/json' });
      asked.res.end(written(JSON.stringify(answer) ?? ''));
      return true;
    };
  }

  it('pass no text off as another', async () => {
    const index = [...log.contents.keys()].at(-1) ?? 0;
    const honest = { index, content: log.contents.get(index) as Json };
    const written = contentFromJson(log.contents.get(index));
    if (!written.ok) throw new Error('the text of the log is none');
    const post = { logIndex: index, contentHash: contentHash(written.value) };
    const property = fc.asyncProperty(lies, statuses, async (it, status) => {
      tell('/log/content', it, status, honest);
      const got = await fetchContent(client, source(), post);
      note(typeof got === 'string' ? got : 'taken');
      if (typeof got !== 'string') expect(got).to.deep.equal(written.value);
    });
    await checked(property, 'F18 texts');
    expect([...ends.keys()]).to.include.members(['gone', 'taken']);
  });

  it('prove nothing that is not so', async () => {
    const { size } = log;
    const [old, now] = [log.root(OLD), log.root()];
    const property = fc.asyncProperty(lies, statuses, async (it, status) => {
      const hashes = log.consistency(OLD, size);
      const honest = { from: OLD, to: size, hashes };
      tell('/log/consistency', it, status, honest);
      const got = await askConsistency(client, source(), OLD, size);
      if (typeof got === 'string') {
        note(got);
        return;
      }
      const sent = got.map((hash) => Buffer.from(hash).toString('base64'));
      const proven = verifyConsistency(OLD, size, old, now, got);
      note(`proof ${proven}`);
      expect(proven).to.equal(String(sent) === String(hashes));
      const other = new Uint8Array(32).fill(7);
      expect(verifyConsistency(OLD, size, other, now, got)).to.equal(false);
    });
    await checked(property, 'F18 proofs');
    expect([...ends.keys()]).to.include.members(['refused', 'unreachable']);
  });

  async function checked(
    property: fc.IAsyncProperty<[Lies, number]>,
    test: string,
  ): Promise<void> {
    const seed = chosenSeed();
    await fc.assert(property, {
      numRuns: RUNS,
      seed,
      includeErrorInReport: true,
    });
    await recordFaults({ test, seed, faults: RUNS });
  }
});
