import fc from 'fast-check';
import { fetchIdentity } from '../../../mesh/peers/fetch-identity.js';
import { fetchContent } from '../../../mesh/pull/fetch/fetch-page.js';
import { PeerClient } from '../../../mesh/pull/fetch/peer-client.js';
import { askConsistency } from '../../../mesh/witness/ask-peer.js';
import { verifyConsistency } from '../../../protocol/consistency.js';
import { contentFromJson, contentHash } from '../../../protocol/content.js';
import { openIdentity } from '../../../protocol/identity.js';
import { ready } from '../../../protocol/signing.js';
import { BoardError } from '../../../server/errors.js';
import { FULL } from '../../support/full.js';
import { HostilePeer } from '../support/hostile-peer.js';
import { ScriptedLog } from '../support/scripted-log.js';
import { holds, type Json, type Lies, lies, toldBy } from './page-changes.js';

const RUNS = FULL ? 20_000 : 100;
const POSTS = 9;
const OLD = 5;

/** Statuses that an answer of any content may come with. */
const STATUSES = [200, 200, 200, 204, 400, 404, 409, 410, 429, 500, 503];
const statuses = fc.constantFrom(...STATUSES);

/** What a board is told that cannot introduce itself. */
const REFUSALS = [
  ...[
    'origin_unreachable',
    'bad_note',
    'bad_statement',
    'weak_key',
    'unsupported_protocol',
  ],
  ...['signature_invalid', 'invalid_input'],
];

describe('generated lies about texts, proofs and who one is', () => {
  const client = new PeerClient({ allowHttp: true, allowPrivate: true });
  let log: ScriptedLog;
  let peer: HostilePeer;
  const ends = new Map<string, number>();

  before(async () => {
    await ready();
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

  function tell(path: string, it: Lies, status: number, honest: Json): void {
    peer.mode = (asked) => {
      if (asked.path !== path) return false;
      asked.res.writeHead(status, { 'Content-Type': 'application/json' });
      asked.res.end(toldBy(it, honest, log));
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
    await holds('F18 texts', RUNS, property);
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
    await holds('F18 proofs', RUNS, property);
    expect([...ends.keys()]).to.include.members(['refused', 'unreachable']);
  });

  it('introduce only the board that signed, and only at the address that was asked', async () => {
    const identity = log.identity(peer.url);
    const opened = openIdentity(identity);
    if (!opened.ok) throw new Error('the honest identity is none');
    const honest: Json = {
      protocol: 'reserve-mesh/1',
      identity,
      head: log.head(),
      board: { title: 'A liar', messages: { signed: 1, guest: 0 } },
      peers: [{ name: 'a.example', url: 'https://a.example', trust: 'relay' }],
    };
    const status = fc.constantFrom(200, 200, 200, 204, 301, 404, 429, 500);
    const property = fc.asyncProperty(lies, status, async (it, status) => {
      tell('/api/mesh', it, status, honest);
      const got = await fetchIdentity(client, peer.url).catch(
        (error: unknown) => error,
      );
      if (got instanceof Error) {
        expect(got).to.be.instanceOf(BoardError);
        const { code, detail } = got as BoardError;
        expect(REFUSALS, detail).to.include(code);
        expect(detail).to.match(/^[ -~]{1,400}$/);
        note(code);
        return;
      }
      const shown = got as { identity: object };
      expect(shown.identity).to.deep.equal(opened.value);
      note('introduced');
    });
    await holds('F18 identity', RUNS, property);
    const all = [...ends.keys()];
    expect(all).to.include.members(['introduced', 'origin_unreachable']);
  });
});
