import { openMirror } from '../../../mesh/peers/peers.sql.js';
import {
  indexTexts,
  noteReadable,
} from '../../../mesh/pull/store/updates.sql.js';
import type { Tx } from '../../../server/db/sql.js';
import { givenBoard } from '../../support/hooks.js';

/** Many more than a plan is made for each time. */
const LOGS = 80;
/** More in all than are looked through one by one. */
const EACH = 30;
/** Of a log that is longer than any page. */
const LONG = 20_000;
const PAGE = 250;
const NOW = 1_700_000_000_000;

type Post = { id: number; title: string; body: string };

describe('a board that mirrors many', () => {
  const test = givenBoard();
  const get = async (path: string) => {
    const answer = await test.as().get(path);
    expect(answer.status, `${path}: ${answer.text}`).to.equal(200);
    return answer.body;
  };
  const places = ({ data }: { data: { id: number; origin: Origin }[] }) =>
    data.map(({ id, origin }) => `${origin.board} ${id}`);
  type Origin = { board: string };

  before(async () => {
    const { writes } = test.board.context;
    for (let log = 1; log <= LOGS; log += 1) {
      await writes.transaction((tx) => mirror(tx, log, postsOf(log)));
    }
  });

  it('finds newest texts in several logs', async () => {
    const found = await get('/api/mesh/search?q=everywhere&limit=3');
    expect(places(found)).to.deep.equal([
      `m${LOGS}.example ${EACH}`,
      `m${LOGS}.example ${EACH - 1}`,
      `m${LOGS}.example ${EACH - 2}`,
    ]);
    const next = await get(found.next.slice('http://board.test'.length));
    expect(places(next)[0]).to.equal(`m${LOGS}.example ${EACH - 3}`);
  });

  it('finds what is in old and new logs and nowhere else', async () => {
    const rare = await get('/api/mesh/search?q=rarely');
    expect(places(rare)).to.deep.equal(['m79.example 5', 'm2.example 5']);
    const first = await get('/api/mesh/search?q=rarely&limit=1');
    const second = await get(first.next.slice('http://board.test'.length));
    expect(places(second)).to.deep.equal(['m2.example 5']);
    expect(second.next).to.equal(null);
    expect((await get('/api/mesh/search?q=absent')).data).to.deep.equal([]);
  });

  it('searches one of them', async () => {
    const one = await get('/api/mesh/search?q=rarely&board=m2.example');
    expect(places(one)).to.deep.equal(['m2.example 5']);
    const none = await get('/api/mesh/search?q=rarely&board=m3.example');
    expect(none.data).to.deep.equal([]);
  });

  it('searches one while another is held, as when it is dropped', async () => {
    await test.board.context.writes.transaction(async (tx) => {
      for (const table of ['message', 'search', 'update', 'decision']) {
        await tx.query(`LOCK TABLE mirror_${table}_40`);
      }
      const one = await get('/api/mesh/search?q=rarely&board=m2.example');
      expect(places(one)).to.deep.equal(['m2.example 5']);
    });
  });

  it('names only what exists in the log of the text', async () => {
    const found = await get('/api/mesh/search?q=rarely');
    const named = found.data.map(
      ({ references }: { references: { id: number }[] }) =>
        references.map(({ id }) => id),
    );
    expect(named).to.deep.equal([[1], [1]]);
  });

  it('goes on behind what is no longer shown', async () => {
    await test.board.context.writes.query(
      `UPDATE mirror_message SET hidden_at = 1, hidden_reason = 'spam'
       WHERE origin_id IN (SELECT origin_id FROM peer
         WHERE name = 'm79.example') AND id = 5`,
    );
    const first = await get('/api/mesh/search?q=rarely&limit=1');
    expect(places(first)).to.deep.equal(['m2.example 5']);
  });

  it('counts each and looks again at those that have grown', async () => {
    const countsOf = async () =>
      (await get('/api/mesh/boards')).data.map(
        ({ messages }: { messages: number }) => messages,
      );
    expect(new Set(await countsOf())).to.deep.equal(new Set([EACH]));
    const { writes } = test.board.context;
    await writes.transaction((tx) => add(tx, 7, [postOf(EACH + 1, 'More.')]));
    const counts = await countsOf();
    expect(counts.filter((one: number) => one === EACH + 1)).to.have.length(1);
    expect(counts).to.have.length(LOGS);
  });

  it('takes in a page without reading the log through', async () => {
    const { writes } = test.board.context;
    const posts = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) => postOf(from + n, 'Said.'));
    await writes.transaction((tx) => add(tx, 3, posts(100, LONG)));
    const [read] = await writes.transaction(async (tx) => {
      await add(tx, 3, posts(100 + LONG, PAGE));
      return await tx.query<{ rows: number }>(
        `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS rows FROM pg_stat_xact_user_tables
         WHERE relname LIKE 'mirror\\_%' AND relname <> 'mirror_stretch'`,
      );
    });
    expect(read?.rows).to.be.below(4 * PAGE);
  });
});

const postOf = (id: number, body: string): Post => ({
  id,
  title: `Number ${id}`,
  body,
});

function postsOf(log: number): Post[] {
  return Array.from({ length: EACH }, (_, n) => {
    const rare = (log === 2 || log === LOGS - 1) && n === 4;
    return postOf(n + 1, rare ? 'Said rarely, see #1 and #99.' : 'Everywhere.');
  });
}

async function mirror(tx: Tx, log: number, posts: Post[]): Promise<void> {
  const name = `m${log}.example`;
  await tx.query(
    `INSERT INTO peer (origin_id, name, origin, base_url, log_vkey,
       mirror_vkey, node_vkey, identity, identity_seq, added_at, confirmed_at,
       status, status_at, trust)
     VALUES ($1, $2, $3, $4, '', '', '', '', 0, $5, $5, 'paused', $5,
       'mirror')`,
    [log, name, `${name}/log`, `https://${name}`, NOW],
  );
  await openMirror(tx, log);
  await add(tx, log, posts);
}

async function add(tx: Tx, log: number, posts: Post[]): Promise<void> {
  const ids = posts.map(({ id }) => id);
  await tx.query(
    `INSERT INTO mirror_message (origin_id, id, root_id, room, author, title,
       body, refs, salt, created_at, received_at, request_id, message_hash,
       log_index, signature_status, status, content_hash, last_activity_id)
     SELECT $1, p.id, p.id, 'lobby', 'agent', p.title, p.body, '{1, 99}',
       decode(repeat('00', 16), 'hex'), $5, $5, gen_random_uuid(), p.hash,
       p.id, 'guest', 'ok', p.hash, p.id
     FROM (SELECT id, title, body, sha256(convert_to(id::text, 'UTF8')) AS hash
       FROM unnest($2::bigint[], $3::text[], $4::text[])
         AS u (id, title, body)) p`,
    [
      log,
      ids,
      posts.map(({ title }) => title),
      posts.map(({ body }) => body),
      NOW,
    ],
  );
  await tx.query('UPDATE log_state SET size = size + $2 WHERE origin_id = $1', [
    log,
    ids.length,
  ]);
  await indexTexts(tx, log, posts);
  await noteReadable(tx, log, ids, NOW);
}
