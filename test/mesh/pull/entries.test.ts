import type { FindOptionsWhere } from 'typeorm';
import { utf8 } from '../../../protocol/bytes.js';
import { formatEntry } from '../../../protocol/entry.js';
import { AgentKey } from '../../../server/db/entities/agent-key.js';
import { LogEntry } from '../../../server/db/entities/log.js';
import { MirrorUpdate } from '../../../server/db/entities/mirror.js';
import { MirrorMessage } from '../../../server/db/entities/mirror-message.js';
import { recordFaults } from '../../faults/report.js';
import { advance, newAgent, record } from '../../support/agent.js';
import { withLimits } from '../../support/limits.js';
import { randomUUID } from '../../support/random.js';
import { rows } from '../../support/rows.js';
import { until } from '../../support/until.js';
import { peerWith, sendJson } from '../support/hostile-peer.js';
import { noise, ScriptedLog } from '../support/scripted-log.js';
import { mirrored, peerRow, sizeOf } from '../support/two-boards.js';
import { givenPulling } from './scripted-peer.js';

const DAY_MS = 86_400_000;

describe('entries and contents of a mirrored log', () => {
  const scene = givenPulling('identity');

  async function pulled(options = {}): Promise<number> {
    const { b, peer } = scene;
    const originId = await peerWith(b, peer, 'mirror', options);
    await scene.caughtUp(originId);
    return originId;
  }

  const entriesOf = (where: FindOptionsWhere<LogEntry>) =>
    rows(scene.b).find(LogEntry, { where, order: { idx: 'ASC' } });

  it('has no fault in what is repeated, of another agent or of a later version', async () => {
    const { log } = scene;
    const [agent, other] = [newAgent(), newAgent()];
    for (const one of [agent, other, agent]) log.key(one, 0);
    const said = { request: randomUUID() };
    const parent = log.post({ agent, statement: said });
    log.post({ agent: other, statement: said });
    log.post({ statement: said });
    log.leaf(
      'reserve-board/entry/v1\ntype later-thing\nat 1768478399000\nmore x\n',
    );
    for (let n = 0; n < 2; n += 1) log.post({ agent, parent });
    const originId = await pulled();
    expect(await entriesOf({ originId, status: 'invalid' })).to.eql([]);
    const [topic] = await mirrored(scene.b, originId);
    expect(topic).to.include({ id: parent.id, replyCount: 2 });
  });

  it('takes no signed word a second time, in whatever page it comes', async () => {
    const { b, log } = scene;
    const agent = newAgent();
    log.key(agent);
    const said = { request: randomUUID() };
    // Nobody said what has no signature of its agent.
    const forger = { ...newAgent(), id: agent.id };
    log.post({ agent: forger, statement: said });
    log.post({ agent, statement: said });
    const originId = await pulled();
    log.post({ agent, statement: said });
    log.post({ agent });
    await scene.caughtUp(originId);
    const posts = await mirrored(b, originId);
    expect(posts.map(({ fault }) => fault)).to.deep.equal([
      ...['signature_invalid', null, 'repeated_request', null],
    ]);
    expect((await peerRow(b, originId)).invalidEntries).to.equal(2);
  });

  it('takes over three rotations of a key a day, and at once what ends it', async () => {
    const { b, log } = scene;
    const agent = newAgent();
    const [note = ''] = agent.notes;
    await record(b, note);
    log.key(agent);
    for (let n = 0; n < 20; n += 1) {
      advance(agent, 'rotate');
      log.key(agent);
    }
    await withLimits(b, { key_rotations_per_agent_day: 3 }, async () => {
      const originId = await pulled();
      const seqOf = (origin: number) =>
        rows(b)
          .findOneByOrFail(AgentKey, { originId: origin, agentId: agent.id })
          .then(({ keySeq }) => keySeq);
      expect([await seqOf(originId), await seqOf(0)]).to.deep.equal([20, 3]);
      b.clock.advance(DAY_MS);
      await until('three more', async () => {
        // A question under way ends with the day, and its retry is later.
        await scene.retryNow(originId);
        scene.peer.wake();
        return (await seqOf(0)) === 6;
      });
      advance(agent, 'revoke');
      log.key(agent);
      await scene.caughtUp(originId);
      const own = { originId: 0, agentId: agent.id };
      const key = await rows(b).findOneByOrFail(AgentKey, own);
      expect(key).to.include({ keySeq: 21, status: 'revoked' });
    });
  });

  it('judges texts as it judges its own writers', async () => {
    const { b, log } = scene;
    const { limits } = b.board.context;
    const long = (max: number) => 'x'.repeat(max + 1);
    const question = 'Which one?';
    const poll = { question, options: ['a', 'b'], duration_hours: 48 };
    const cases = [
      { body: long(limits.body_code_points) },
      { title: long(limits.title_code_points) },
      { name: long(limits.name_code_points) },
      { body: ' \u200b ' },
      { body: 'nul \0 inside' },
      { name: '' },
      { poll: { ...poll, question: long(limits.poll_question_code_points) } },
      { poll: { ...poll, options: ['same', 'same'] } },
      {
        poll: { ...poll, options: ['a', long(limits.poll_option_code_points)] },
      },
      { poll: { ...poll, duration_hours: 1 } },
      { poll: { question, duration_hours: 48, kind: 'mine', summary: 's' } },
      {
        poll: {
          question,
          duration_hours: 48,
          kind: 'rule',
          summary: long(500),
        },
      },
    ];
    for (const content of cases) log.post({ content });
    const whole = 'x'.repeat(limits.body_code_points);
    log.post({ content: { body: whole, poll } });
    const originId = await pulled();
    const posts = await mirrored(b, originId);
    expect(posts.map(({ status }) => status)).to.eql([
      ...cases.map(() => 'invalid'),
      'ok',
    ]);
    expect(new Set(posts.map(({ fault }) => fault))).to.eql(
      new Set(['over_limits', null]),
    );
    const row = await peerRow(b, originId);
    expect(row).to.include({
      invalidEntries: cases.length,
      degradedReason: 'invalid_entries',
    });
    await recordFaults({ test: 'F3 texts', faults: cases.length });
  });

  it('shows a skewed clock for what it is and keeps the entries (F8)', async () => {
    const { b, log } = scene;
    const now = b.clock.now();
    const years = 10 * 365 * DAY_MS;
    const old = new ScriptedLog('board-old.example', now - years);
    const past = await scene.other(old);
    old.post();
    const behind = await peerWith(b, past);
    const slow = new ScriptedLog('board-slow.example', now - 900_000);
    const late = await scene.other(slow);
    slow.post();
    const lagging = await peerWith(b, late);
    for (const ahead of [15 * 60_000, years]) log.post({ at: now + ahead });
    const originId = await pulled();
    const posts = await mirrored(b, originId);
    expect(posts.map(({ status }) => status)).to.eql(['ok', 'ok']);
    for (const post of posts) {
      expect(Math.min(post.createdAt, post.receivedAt)).to.equal(now);
    }
    expect((await peerRow(b, originId)).degradedReason).to.equal('clock_skew');
    await until('the old log', async () => (await sizeOf(b, behind)) === 1);
    const [ancient] = await mirrored(b, behind);
    expect(ancient).to.include({ status: 'ok', createdAt: now - years });
    expect((await peerRow(b, behind)).degradedUntil).to.equal(null);
    await until('the slow log', async () => (await sizeOf(b, lagging)) === 1);
    const [quarter] = await mirrored(b, lagging);
    expect(quarter).to.include({ status: 'ok', createdAt: now - 900_000 });
    expect((await peerRow(b, lagging)).degradedUntil).to.equal(null);
    await recordFaults({ test: 'F8', faults: posts.length + 2 });
  });

  it('never takes a leaf for another, whatever its bytes', async () => {
    const { b, log } = scene;
    const entry = formatEntry({
      type: 'evidence',
      at: b.clock.now(),
      origin: 'board-c.example/log',
      kind: 'equivocation',
      evidence: noise('e'),
    });
    log.leaf(`${entry}\0`);
    log.leaf('');
    log.leaf('\u{10ffff}'.repeat(2000));
    log.leaf(
      `reserve-board/entry/v1\ntype post\nat 5\nid 77\n${'x'.repeat(99)}`,
    );
    const after = log.post({ id: 78 });
    const originId = await pulled();
    const stored = await entriesOf({ originId });
    expect(stored.map(({ leaf }) => leaf)).to.eql(
      log.leaves.map((leaf) => Buffer.from(utf8(leaf))),
    );
    const posts = await mirrored(b, originId);
    expect(posts).to.have.length(1);
    expect(posts[0]).to.include({ id: after.id, status: 'ok' });
  });

  it('asks three times for a content, then calls it withheld', async () => {
    const { b, peer, log } = scene;
    const first = log.post({ given: null });
    const swapped = log.post({
      given: { salt: 'AAAAAAAAAAAAAAAAAAAAAA==', name: 'x', body: 'other' },
    });
    log.contents.delete(first.index);
    const originId = await pulled();
    const asked = (index: number) =>
      peer.asked.filter((path) => path === `/log/content?index=${index}`);
    const tries = () => rows(b).findBy(MirrorMessage, { originId });
    for (const n of [1, 2]) {
      // The next try is due by the clock at the moment this one is stored.
      await until(`try ${n}`, async () => {
        peer.wake(); // it may begin to wait after the clock has gone on
        return (await tries()).every((post) => post.fetchTries === n);
      });
      expect(asked(first.index)).to.have.length(n);
      expect(asked(swapped.index)).to.have.length(n);
      b.clock.advance(10_000);
    }
    await until('both are withheld', async () => {
      peer.wake();
      const posts = await mirrored(b, originId);
      return posts.every(({ status }) => status === 'withheld');
    });
    const row = await peerRow(b, originId);
    expect(row).to.include({
      withheldContents: 2,
      degradedReason: 'withheld_content',
    });
    b.clock.advance(60_000);
    log.post();
    await scene.caughtUp(originId);
    expect(asked(first.index)).to.have.length(3);
    expect(asked(swapped.index)).to.have.length(3);
  });

  for (const [place, none] of [
    ['content', null],
    ['feed', '/log/content'],
  ]) {
    it(`takes a content that comes later, of /log/${place}`, async () => {
      const { b, peer, log } = scene;
      const { index, id } = log.post();
      const given = log.contents.get(index);
      log.contents.delete(index);
      peer.mode = ({ path, res }) => {
        if (path !== none) return false;
        sendJson(res, { error: 'not_found' }, 404);
        return true;
      };
      const originId = await pulled();
      log.contents.set(index, given);
      await until('the second try', async () => {
        b.clock.advance(5000);
        peer.wake();
        const posts = await mirrored(b, originId);
        return posts.some((post) => post.id === id && post.status === 'ok');
      });
      expect((await peerRow(b, originId)).withheldContents).to.equal(0);
    });
  }

  it('holds only what trust and content option ask for', async () => {
    const { b, peer, log } = scene;
    const agent = newAgent();
    log.key(agent);
    log.post({ agent });
    log.post();
    const originId = await peerWith(b, peer, 'witness');
    await scene.caughtUp(originId);
    const statuses = async () =>
      (await mirrored(b, originId)).map(({ status }) => status).join(' ');
    expect(await statuses()).to.equal('bare bare');
    const become = async (wanted: string) => {
      await until(wanted, async () => (await statuses()) === wanted);
    };
    await scene.set(originId, { trust: 'mirror', content: 'signed' });
    await become('ok bare');
    await scene.set(originId, { content: 'all' });
    await become('ok ok');
    const updates = await rows(b).findBy(MirrorUpdate, { originId });
    expect(updates.map(({ id }) => id).sort()).to.eql([1, 2]);
    await scene.set(originId, { content: 'signed' });
    await become('ok bare');
    await scene.set(originId, { trust: 'proofs' });
    await become('bare bare');
    const found = await b.board.context.reads.query(
      'SELECT FROM mirror_search WHERE origin_id = $1',
      [originId],
    );
    expect(found).to.have.length(0);
  });
});
