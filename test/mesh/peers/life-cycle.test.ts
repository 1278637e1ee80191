import { openIdentity } from '../../../protocol/identity.js';
import { given } from '../../support/hooks.js';
import { HostilePeer, sendJson } from '../support/hostile-peer.js';
import { ScriptedLog } from '../support/scripted-log.js';
import { logVkeyOf, nodeOnPort, twoNodes } from './node-on-port.js';

const WEEK_MS = 7 * 86_400_000;

describe('peers, from the first URL to the end', () => {
  const { a, b } = given(twoNodes());
  let name: string;

  before(() => {
    name = b.board.context.board.name;
  });

  async function refusal(work: Promise<unknown>): Promise<string> {
    try {
      await work;
    } catch (error) {
      return String((error as { code?: unknown }).code);
    }
    return 'done';
  }

  it('shows itself without any peer', async () => {
    const { body } = await a.as().get('/api/mesh').expect(200);
    expect(body.peers).to.deep.equal([]);
    expect(body.evidence_count).to.equal(0);
    const identity = openIdentity(body.identity);
    expect(identity.ok && identity.value.log).to.equal(body.log.vkey);
    expect(body.log.checkpoint.split('\n')[1]).to.equal(String(body.log.size));
  });

  it('adds nobody whose key is another than the one to confirm', async () => {
    const { peerAdmin } = a.board;
    const wrong = logVkeyOf(a);
    const refused = await refusal(peerAdmin.add(b.url, { confirm: wrong }));
    expect(refused).to.equal('invalid_input');
    expect(await peerAdmin.list()).to.deep.equal([]);
  });

  it('adds neither itself nor what is no board', async () => {
    const { peerAdmin } = a.board;
    expect(await refusal(peerAdmin.add(a.url))).to.equal('invalid_input');
    for (const url of ['', 'ftp://x.example', `${b.url}/path`, 'x']) {
      expect(await refusal(peerAdmin.add(url)), url).to.equal('invalid_input');
    }
    const nobody = 'http://127.0.0.1:9';
    const error = await peerAdmin.add(nobody).catch((it) => it);
    expect(error.code).to.equal('origin_unreachable');
    // What went wrong is said, and no code of it.
    expect(error.detail).to.include('could not be asked: it cannot be reached');
  });

  it('adds no board that speaks another protocol, and one that names none', async () => {
    const { peerAdmin } = a.board;
    const log = new ScriptedLog('later.example', Date.now());
    const later = await HostilePeer.start(log);
    try {
      const identity = log.identity(later.url);
      for (const [protocol, wanted] of [
        ['reserve-mesh/2', 'unsupported_protocol'],
        ['', 'unsupported_protocol'],
        [undefined, 'done'],
      ] as const) {
        later.mode = ({ res }) => {
          sendJson(res, { identity, protocol });
          return true;
        };
        expect(await refusal(peerAdmin.add(later.url))).to.equal(wanted);
      }
      await peerAdmin.forget('later.example');
    } finally {
      await later.stop();
    }
  });

  it('keeps a new peer pending until its key is confirmed', async () => {
    const { peerAdmin } = a.board;
    const added = await peerAdmin.add(b.url);
    expect(added).to.include({ name, status: 'pending', trust: 'mirror' });
    expect(added.log_vkey).to.equal(logVkeyOf(b));
    // Run twice it is added already; what it would change is another command.
    expect(await peerAdmin.add(b.url)).to.deep.equal(added);
    const more = peerAdmin.add(b.url, { content: 'all' });
    expect(await more.catch((error) => error.detail)).to.include(
      `run "reserve-board peer trust ${name} --content all"`,
    );
    expect(await refusal(peerAdmin.resume(name))).to.equal('decision_conflict');
    const states = await a.board.context.reads.query(
      'SELECT 1 FROM log_state WHERE origin_id > 0',
    );
    expect(states).to.have.length(0);
  });

  it('confirms only the very key that the board shows', async () => {
    const { peerAdmin } = a.board;
    const wrong = logVkeyOf(a);
    expect(await refusal(peerAdmin.confirm(name, wrong))).to.equal(
      'invalid_input',
    );
    const elsewhere = { address: a.url };
    const lost = peerAdmin.confirm(name, logVkeyOf(b), elsewhere);
    expect(await refusal(lost)).to.equal('invalid_input');
    const confirmed = await peerAdmin.confirm(name, logVkeyOf(b));
    expect(confirmed.status).to.equal('active');
    const again = peerAdmin.confirm(name, logVkeyOf(b));
    expect(await refusal(again)).to.equal('decision_conflict');
  });

  it('gives a new peer a tenth of the quotas for a week', async () => {
    const { peerAdmin } = a.board;
    const { limits } = await peerAdmin.read(name);
    expect(limits.entries_day).to.equal(5000);
    expect(limits.content_bytes_day).to.equal(20_000_000);
    const own = await peerAdmin.limits(b.url, { entries_day: 700 });
    expect(own.limits.entries_day).to.equal(70);
    a.clock.advance(WEEK_MS);
    expect((await peerAdmin.read(name)).limits.entries_day).to.equal(700);
    a.clock.advance(-WEEK_MS);
    const lifted = await peerAdmin.limits(name, {
      entries_day: null,
      probation: false,
    });
    expect(lifted.limits).to.deep.include({
      entries_day: 50_000,
      probation_until: null,
    });
    const bad = peerAdmin.limits(name, { entries_day: -1 });
    expect(await refusal(bad)).to.equal('invalid_input');
  });

  it('lets a peer that waits for its quota go on under another one', async () => {
    const { peerAdmin, context } = a.board;
    // No worker comes in between.
    expect((await peerAdmin.pause(name)).status).to.equal('paused');
    expect(await refusal(peerAdmin.pause(name))).to.equal('decision_conflict');
    const waits = async (code: string) => {
      await context.writes.query(
        'UPDATE peer SET last_error_code = $2, retry_at = $3 WHERE name = $1',
        [name, code, a.clock.now() + WEEK_MS],
      );
      return (await peerAdmin.limits(name, { entries_day: null })).retry_at;
    };
    expect(await waits('quota')).to.equal(null);
    expect(await waits('feed_corrupt')).to.be.a('string');
    await context.writes.query(
      'UPDATE peer SET last_error_code = NULL, retry_at = NULL WHERE name = $1',
      [name],
    );
    expect((await peerAdmin.resume(name)).status).to.equal('active');
  });

  it('changes trust, content and decisions', async () => {
    const { peerAdmin } = a.board;
    const changed = await peerAdmin.trust(b.url.toUpperCase().concat('/'), {
      trust: 'relay',
      content: 'all',
      decisions: 'follow',
    });
    expect(changed).to.include({
      trust: 'relay',
      content: 'all',
      decisions: 'follow',
    });
    const bad = peerAdmin.trust(name, { trust: 'friend' as 'relay' });
    expect(await refusal(bad)).to.equal('invalid_input');
  });

  it('round-trips its policy and shows the difference first', async () => {
    const { peerAdmin } = a.board;
    const policy = await peerAdmin.exportPolicy();
    const same = await peerAdmin.importPolicy(policy);
    expect(same).to.deep.equal([{ name, action: 'same', changes: [] }]);
    const [peer] = policy.peers;
    const wanted = { ...policy, peers: [{ ...peer, trust: 'proofs' }] };
    const changes = [{ field: 'trust', from: 'relay', to: 'proofs' }];
    const seen = await peerAdmin.importPolicy(wanted);
    expect(seen).to.deep.equal([{ name, action: 'change', changes }]);
    expect((await peerAdmin.read(name)).trust).to.equal('relay');
    await peerAdmin.importPolicy(wanted, { apply: true });
    expect((await peerAdmin.read(name)).trust).to.equal('proofs');
    await peerAdmin.importPolicy(policy, { apply: true });
    expect((await peerAdmin.exportPolicy()).peers).to.deep.equal(policy.peers);
  });

  it('takes a policy over on a board that has no peer yet', async () => {
    const c = await nodeOnPort();
    try {
      const policy = await a.board.peerAdmin.exportPolicy();
      const [seen] = await c.board.peerAdmin.importPolicy(policy);
      expect(seen?.action).to.equal('add');
      expect(await c.board.peerAdmin.list()).to.have.length(0);
      await c.board.peerAdmin.importPolicy(policy, { apply: true });
      expect((await c.board.peerAdmin.read(name)).status).to.equal('active');
      const after = await c.board.peerAdmin.exportPolicy();
      expect(after.peers).to.deep.equal(policy.peers);
    } finally {
      await c.stop();
    }
  });

  it('never takes another key or address from a policy', async () => {
    const { peerAdmin } = a.board;
    const policy = await peerAdmin.exportPolicy();
    const [peer] = policy.peers;
    for (const change of [
      { log_vkey: logVkeyOf(a) },
      { base_url: 'http://127.0.0.1:9' },
    ]) {
      const peers = [{ ...peer, ...change }];
      const [seen] = await peerAdmin.importPolicy(
        { ...policy, peers },
        { apply: true },
      );
      expect(seen?.action).to.equal('refused');
    }
    for (const bad of [null, {}, { ...policy, format: 'x' }, { peers: [{}] }]) {
      const refused = await refusal(peerAdmin.importPolicy(bad));
      expect(['invalid_input', 'unknown_field']).to.include(refused);
    }
  });

  it('erases a blocked peer and lists it no more', async () => {
    const { peerAdmin, context } = a.board;
    const blocked = await peerAdmin.block(name, 'spam');
    expect(blocked).to.include({ status: 'blocked', status_reason: 'spam' });
    const { body } = await a.as().get('/api/mesh');
    expect(body.peers).to.deep.equal([]);
    const left = await context.reads.query(
      'SELECT origin_id FROM log_state WHERE origin_id > 0',
    );
    expect(left).to.have.length(0);
    expect((await peerAdmin.resume(name)).status).to.equal('active');
  });

  it('knows no board by another name', async () => {
    const { peerAdmin } = a.board;
    for (const board of ['', 'x.example', "' OR 1=1", '\u0000']) {
      expect(await refusal(peerAdmin.pause(board))).to.equal('unknown_board');
    }
  });
});
