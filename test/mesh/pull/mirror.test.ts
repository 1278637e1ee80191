import pg from 'pg';
import { LogEntry } from '../../../server/db/entities/log.js';
import { Peer } from '../../../server/db/entities/peer.js';
import { OWN_LOG } from '../../../server/ledger/own-log.sql.js';
import {
  advance,
  currentPair,
  publishSigned,
  record,
  register,
} from '../../support/agent.js';
import { decideTo } from '../../support/decide.js';
import { given } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { rows } from '../../support/rows.js';
import { until } from '../../support/until.js';
import { twoNodes } from '../peers/node-on-port.js';
import {
  level,
  mirrored,
  peerRow,
  peerUp,
  sizeOf,
} from '../support/two-boards.js';

/** A text that no row can hold, as on a full disk; a try leaves its trace. */
const NO_ROOM = `CREATE SEQUENCE tries;
  CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM nextval('tries');
      RAISE EXCEPTION 'no room' USING ERRCODE = '53100';
    END $$;
  CREATE TRIGGER no_room BEFORE INSERT ON mirror_message
    FOR EACH ROW WHEN (NEW.body = 'no room') EXECUTE FUNCTION no_room()`;

describe('a mirror of another board', () => {
  const { a, b } = given(twoNodes());
  let originId: number;

  before(async () => {
    originId = await peerUp(b, a);
  });

  const set = (changes: Partial<Peer>) =>
    rows(b).update(Peer, { originId }, changes);
  const shown = async (id: number) =>
    (await mirrored(b, originId)).find((post) => post.id === id);
  const arrives = (id: number) =>
    until('the message at the mirror', async () => {
      return (await shown(id)) !== undefined;
    });

  it('holds the log, its tree and the texts of signed messages', async () => {
    const agent = await register(a);
    const topic = await publishSigned(a, agent, { title: 'Signed topic' });
    await publish(a, { body: 'a guest', reply_to: topic.message.id });
    await level(b, originId, a);
    const posts = await mirrored(b, originId);
    expect(posts.map(({ status }) => status)).to.eql(['ok', 'bare']);
    expect(posts[0]).to.include({ title: 'Signed topic', replyCount: 1 });
    const sql = `SELECT idx, leaf, leaf_hash FROM log_entry
      WHERE origin_id = $1 ORDER BY idx`;
    const kept = await b.board.context.reads.query(sql, [originId]);
    expect(kept).to.eql(await a.board.context.reads.query(sql, [0]));
    const heads = `SELECT root, note FROM log_checkpoint WHERE origin_id = $1
      ORDER BY size DESC LIMIT 1`;
    const [head] = await b.board.context.reads.query(heads, [originId]);
    expect([head]).to.eql(await a.board.context.reads.query(heads, [0]));
    const row = await peerRow(b, originId);
    expect(row).to.include({ failures: 0, lastErrorCode: null });
  });

  it('follows what is published while it waits', async () => {
    await set({ content: 'all' });
    await level(b, originId, a);
    const live = async () => (await peerRow(b, originId)).applyMs.length;
    const none = await live();
    // The worker begins again with its new settings, and is level then.
    await until('a live page', async () => {
      await arrives((await publish(a)).message.id);
      return (await live()) > none;
    });
    const before = await live();
    for (let n = 0; n < 5; n += 1) {
      const { message } = await publish(a, { body: `live ${n}` });
      await arrives(message.id);
    }
    expect(await live()).to.equal(before + 5);
  });

  it('moves its cursor with the rows of a page, or not at all', async () => {
    await level(b, originId, a);
    const { reads } = b.board.context;
    const owner = new pg.Client({ connectionString: b.databaseUrl });
    await owner.connect();
    try {
      await owner.query(NO_ROOM);
      const { message } = await publish(a, { body: 'no room' });
      await until('a page that could not be stored', async () => {
        const [tries] = await reads.query('SELECT FROM tries WHERE is_called');
        return tries !== undefined;
      });
      const [row] = await reads.query(
        `SELECT s.size = (SELECT count(*) FROM log_entry
           WHERE origin_id = $1) AS whole
         FROM log_state s WHERE s.origin_id = $1`,
        [originId],
      );
      expect(row).to.eql({ whole: true });
      await owner.query('DROP TRIGGER no_room ON mirror_message');
      await arrives(message.id);
    } finally {
      await owner.end();
    }
  });

  it('deletes what is removed and fetches what is reinstated', async () => {
    const { message } = await publish(a, { body: 'to be removed' });
    const reply = await publish(a, { body: 'stays', reply_to: message.id });
    await level(b, originId, a);
    await decideTo.remove(a, message.id);
    await level(b, originId, a);
    expect(await shown(message.id)).to.include({
      status: 'removed',
      body: null,
      removal: 'spam',
    });
    expect(await shown(reply.message.id)).to.include({ status: 'ok' });
    const found = await b.board.context.reads.query(
      'SELECT FROM mirror_search WHERE origin_id = $1 AND message_id = $2',
      [originId, message.id],
    );
    expect(found).to.have.length(0);
    await decideTo.reinstate(a, message.id);
    await until('the text is back', async () => {
      const post = await shown(message.id);
      return post?.status === 'ok' && post.body === 'to be removed';
    });
  });

  it('appends a rotation seen elsewhere to its own log', async () => {
    const agent = await register(a);
    const [note = ''] = agent.notes;
    await record(b, note);
    await level(b, originId, a);
    // Only these: an anchor may come in between.
    const keyEntries = () =>
      rows(b).countBy(LogEntry, { originId: OWN_LOG, agentId: agent.id });
    expect(await keyEntries()).to.equal(1);
    await record(a, advance(agent, 'rotate'));
    await level(b, originId, a);
    expect(await keyEntries()).to.equal(2);
    const known = await b.as().get(`/api/keys/${agent.id}`);
    expect(known.body).to.include({ key_seq: 1, status: 'active' });
    const receipt = await publishSigned(b, agent, { title: 'By the new key' });
    expect(receipt.status).to.equal('published');
    expect(currentPair(agent)).to.equal(agent.pairs[1]);
  });

  it('goes on where it stopped, and stops with its peer', async () => {
    await publish(a, { body: 'one' });
    await level(b, originId, a);
    await b.restart();
    await publish(a, { body: 'two' });
    await level(b, originId, a);
    const asking = () => a.board.context.events.waiters('log') > 0;
    await until('a request that waits', asking);
    await set({ status: 'paused' });
    const size = await sizeOf(b, originId);
    await until('the waiting request is over', () => !asking());
    await publish(a, { body: 'three' });
    expect(await sizeOf(b, originId)).to.equal(size);
    await set({ status: 'active' });
    await level(b, originId, a);
  });
});
