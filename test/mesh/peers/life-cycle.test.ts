import { expect } from 'chai';
import { openIdentity } from '../../../protocol/identity.js';
import type { TestBoard } from '../../support/board.js';
import { logVkeyOf, nodeOnPort } from './node-on-port.js';

const WEEK_MS = 7 * 86_400_000;

describe('peers, from the first URL to the end', () => {
  let a: TestBoard;
  let b: TestBoard;
  let name: string;

  before(async () => {
    a = await nodeOnPort();
    b = await nodeOnPort();
    name = b.board.context.board.name;
  });

  after(async () => {
    await a.stop();
    await b.stop();
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
    const { body, status } = await a.as().get('/api/mesh');
    expect(status).to.equal(200);
    expect(body.peers).to.deep.equal([]);
    expect(body.evidence_count).to.equal(0);
    const identity = openIdentity(body.identity);
    expect(identity.ok && identity.value.log).to.equal(body.log.vkey);
    expect(body.log.checkpoint.split('\n')[1]).to.equal(String(body.log.size));
  });

  it('adds nobody whose key is another than the one to confirm', async () => {
    const { desk } = a.board;
    const wrong = logVkeyOf(a);
    const refused = await refusal(desk.add(b.url, { confirm: wrong }));
    expect(refused).to.equal('invalid_input');
    expect(await desk.list()).to.deep.equal([]);
  });

  it('adds neither itself nor what is no board', async () => {
    const { desk } = a.board;
    expect(await refusal(desk.add(a.url))).to.equal('invalid_input');
    for (const url of ['', 'ftp://x.example', `${b.url}/path`, 'x']) {
      expect(await refusal(desk.add(url)), url).to.equal('invalid_input');
    }
    const nobody = 'http://127.0.0.1:9';
    expect(await refusal(desk.add(nobody))).to.equal('origin_unreachable');
  });

  it('keeps a new peer pending until its key is confirmed', async () => {
    const { desk } = a.board;
    const added = await desk.add(b.url);
    expect(added).to.include({ name, status: 'pending', trust: 'mirror' });
    expect(added.log_vkey).to.equal(logVkeyOf(b));
    expect(await refusal(desk.add(b.url))).to.equal('decision_conflict');
    expect(await refusal(desk.resume(name))).to.equal('decision_conflict');
    const states = await a.board.context.reads.query(
      'SELECT 1 FROM log_state WHERE origin_id > 0',
    );
    expect(states).to.have.length(0);
  });

  it('confirms only the very key that the board shows', async () => {
    const { desk } = a.board;
    const wrong = logVkeyOf(a);
    expect(await refusal(desk.confirm(name, wrong))).to.equal('invalid_input');
    const elsewhere = { address: a.url };
    const lost = desk.confirm(name, logVkeyOf(b), elsewhere);
    expect(await refusal(lost)).to.equal('invalid_input');
    const confirmed = await desk.confirm(name, logVkeyOf(b));
    expect(confirmed.status).to.equal('active');
    const again = desk.confirm(name, logVkeyOf(b));
    expect(await refusal(again)).to.equal('decision_conflict');
  });

  it('gives a new peer a tenth of the quotas for a week', async () => {
    const { desk } = a.board;
    const { limits } = await desk.read(name);
    expect(limits.entries_day).to.equal(5000);
    expect(limits.content_bytes_day).to.equal(20_000_000);
    const own = await desk.limits(b.url, { entries_day: 700 });
    expect(own.limits.entries_day).to.equal(70);
    a.clock.advance(WEEK_MS);
    expect((await desk.read(name)).limits.entries_day).to.equal(700);
    a.clock.advance(-WEEK_MS);
    const lifted = await desk.limits(name, {
      entries_day: null,
      probation: false,
    });
    expect(lifted.limits).to.deep.include({
      entries_day: 50_000,
      probation_until: null,
    });
    const bad = desk.limits(name, { entries_day: -1 });
    expect(await refusal(bad)).to.equal('invalid_input');
  });

  it('lets a peer that waits for its quota go on under another one', async () => {
    const { desk, context } = a.board;
    await desk.pause(name); // no worker comes in between
    const waits = async (code: string) => {
      await context.writes.query(
        'UPDATE peer SET last_error_code = $2, retry_at = $3 WHERE name = $1',
        [name, code, a.clock.now() + WEEK_MS],
      );
      return (await desk.limits(name, { entries_day: null })).retry_at;
    };
    expect(await waits('quota')).to.equal(null);
    expect(await waits('feed_corrupt')).to.be.a('string');
    await context.writes.query(
      'UPDATE peer SET last_error_code = NULL, retry_at = NULL WHERE name = $1',
      [name],
    );
    await desk.resume(name);
  });

  it('changes trust, content and decisions', async () => {
    const { desk } = a.board;
    const changed = await desk.trust(b.url.toUpperCase().concat('/'), {
      trust: 'relay',
      content: 'all',
      decisions: 'follow',
    });
    expect(changed).to.include({
      trust: 'relay',
      content: 'all',
      decisions: 'follow',
    });
    const bad = desk.trust(name, { trust: 'friend' as 'relay' });
    expect(await refusal(bad)).to.equal('invalid_input');
  });

  it('pauses and resumes', async () => {
    const { desk } = a.board;
    expect((await desk.pause(name)).status).to.equal('paused');
    expect(await refusal(desk.pause(name))).to.equal('decision_conflict');
    expect((await desk.resume(name)).status).to.equal('active');
  });

  it('round-trips its policy and shows the difference first', async () => {
    const { desk } = a.board;
    const policy = await desk.exportPolicy();
    const same = await desk.importPolicy(policy);
    expect(same).to.deep.equal([{ name, action: 'same', changes: [] }]);
    const [peer] = policy.peers;
    const wanted = { ...policy, peers: [{ ...peer, trust: 'proofs' }] };
    const changes = [{ field: 'trust', from: 'relay', to: 'proofs' }];
    const seen = await desk.importPolicy(wanted);
    expect(seen).to.deep.equal([{ name, action: 'change', changes }]);
    expect((await desk.read(name)).trust).to.equal('relay');
    await desk.importPolicy(wanted, { apply: true });
    expect((await desk.read(name)).trust).to.equal('proofs');
    await desk.importPolicy(policy, { apply: true });
    expect((await desk.exportPolicy()).peers).to.deep.equal(policy.peers);
  });

  it('takes a policy over on a board that has no peer yet', async () => {
    const c = await nodeOnPort();
    try {
      const policy = await a.board.desk.exportPolicy();
      const [seen] = await c.board.desk.importPolicy(policy);
      expect(seen?.action).to.equal('add');
      expect(await c.board.desk.list()).to.have.length(0);
      await c.board.desk.importPolicy(policy, { apply: true });
      expect((await c.board.desk.read(name)).status).to.equal('active');
      const after = await c.board.desk.exportPolicy();
      expect(after.peers).to.deep.equal(policy.peers);
    } finally {
      await c.stop();
    }
  });

  it('never takes another key or address from a policy', async () => {
    const { desk } = a.board;
    const policy = await desk.exportPolicy();
    const [peer] = policy.peers;
    for (const change of [
      { log_vkey: logVkeyOf(a) },
      { base_url: 'http://127.0.0.1:9' },
    ]) {
      const peers = [{ ...peer, ...change }];
      const [seen] = await desk.importPolicy(
        { ...policy, peers },
        { apply: true },
      );
      expect(seen?.action).to.equal('refused');
    }
    for (const bad of [null, {}, { ...policy, format: 'x' }, { peers: [{}] }]) {
      const refused = await refusal(desk.importPolicy(bad));
      expect(['invalid_input', 'unknown_field']).to.include(refused);
    }
  });

  it('erases a blocked peer and lists it no more', async () => {
    const { desk, context } = a.board;
    const blocked = await desk.block(name, 'spam');
    expect(blocked).to.include({ status: 'blocked', status_reason: 'spam' });
    const { body } = await a.as().get('/api/mesh');
    expect(body.peers).to.deep.equal([]);
    const left = await context.reads.query(
      'SELECT origin_id FROM log_state WHERE origin_id > 0',
    );
    expect(left).to.have.length(0);
    expect((await desk.resume(name)).status).to.equal('active');
  });

  it('knows no board by another name', async () => {
    const { desk } = a.board;
    for (const board of ['', 'x.example', "' OR 1=1", '\u0000']) {
      expect(await refusal(desk.pause(board))).to.equal('unknown_board');
    }
  });
});
