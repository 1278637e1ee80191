import { expect } from 'chai';
import { fold } from '../../../protocol/fold.js';
import type { TestBoard } from '../../support/board.js';
import { randomUUID } from '../../support/random.js';
import { get, givenReadable, ids, topic } from './fixture.js';

const COUNT = 5000;

/** More messages than a segment of the archive. */
async function fill(test: TestBoard, root: number): Promise<void> {
  const rows = Array.from({ length: COUNT }, (_, n) => {
    const body = bodyOf(n);
    const keys = { id: root + 1 + n, root, body, request_id: randomUUID() };
    return { ...keys, fold: fold(body) };
  });
  await test.board.context.writes.query(
    `WITH x AS (SELECT * FROM json_to_recordset($1) AS x (id bigint,
       root bigint, body text, request_id uuid, fold text)),
     s AS (INSERT INTO message_search (message_id, body_fold)
       SELECT id, fold FROM x)
     INSERT INTO message (id, root_id, reply_to, room, author, body,
       created_at, request_id, message_hash, log_index, vote_secret,
       last_activity_id)
     SELECT id, root, root, 'lobby', 'a', body, 0, request_id, '\\x00', id,
       '\\x00', id FROM x`,
    [JSON.stringify(rows)],
  );
}

function bodyOf(n: number): string {
  const rare = n % 999 === 7 ? ' Kingfisher Kz' : '';
  return `common words of message ${n}${rare}`;
}

describe('searching far back', () => {
  const test = givenReadable();
  let root: number;
  before(async () => {
    root = await topic(test);
    await fill(test, root);
  });

  const kingfishers = () =>
    [4003, 3004, 2005, 1006, 7].map((n) => root + 1 + n);

  /** By all of it, by a pair, and by the pair at its end. */
  const findsKingfishers = async () => {
    for (const q of ['kingfisher', 'gf', 'kz', 'ingfish']) {
      const { body } = await get(test, `/api/search?q=${q}`);
      expect(ids({ body }), q).to.deep.equal(kingfishers());
    }
  };

  it('finds rare texts in every part of the board', async () => {
    await findsKingfishers();
  });

  it('joins what is recent and what is old without a seam', async () => {
    const seen: number[] = [];
    let url: string | null = '/api/search?q=kingFISHER&limit=2';
    while (url !== null) {
      const answer = await get(test, url);
      seen.push(...ids(answer));
      url = answer.body.next;
    }
    expect(seen).to.deep.equal(kingfishers());
  });

  it('fills a page of a common text with the newest', async () => {
    const { body } = await get(test, '/api/search?q=common&limit=3');
    const newest = root + COUNT;
    expect(ids({ body })).to.deep.equal([newest, newest - 1, newest - 2]);
    const before = root + 101;
    const older = await get(test, `/api/search?q=common&before=${before}`);
    expect(older.body.data[0].id).to.equal(before - 1);
  });

  it('finds nothing of what stands nowhere', async () => {
    for (const q of ['rk', 'wordscommon', 'of message 5000', 'qx']) {
      const { body } = await get(test, `/api/search?q=${encodeURI(q)}`);
      expect(ids({ body }), q).to.deep.equal([]);
    }
  });
});
