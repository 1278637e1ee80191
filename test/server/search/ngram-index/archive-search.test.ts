import { fold } from '../../../../protocol/fold.js';
import { Message } from '../../../../server/db/entities/message.js';
import type { Database } from '../../../../server/db/sql.js';
import { archiveSearch } from '../../../../server/operations/jobs/job-list.js';
import {
  archiveState,
  forgetKeys,
} from '../../../../server/search/ngram-index/archive.sql.js';
import {
  archiveSegment,
  dueSegment,
} from '../../../../server/search/ngram-index/archive-segment.js';
import type { TestBoard } from '../../../support/board.js';
import { decideTo } from '../../../support/decide.js';
import { preview } from '../../../support/post.js';
import { randomUUID } from '../../../support/random.js';
import {
  get,
  givenReadable,
  ids,
  setVisibility,
  topic,
} from '../../reading/fixture.js';

const SEGMENT = 4096;
/** Two segments, the newest that stay, and some more. */
const COUNT = 3 * SEGMENT + 300;
const PHRASE = 'Weekly  digest';

function bodyOf(id: number): string {
  if (id === 5000) return 'Here it is: the WEEKLY\n digest of all.';
  const rare = id % 999 === 7 ? ' A Kingfisher, ΟΔΟΣ and Straße; kz' : '';
  return `common words of message ${id}${rare}`;
}

/** Topics of their own, so that a place in one is the place of a message. */
async function fill(test: TestBoard, from: number): Promise<void> {
  const rows = Array.from({ length: COUNT - from + 1 }, (_, n) => {
    const [id, body] = [from + n, bodyOf(from + n)];
    const room = id % 2 === 0 ? 'lobby' : 'findings';
    return { id, room, body, fold: fold(body), request_id: randomUUID() };
  });
  await test.board.context.writes.query(
    `WITH x AS (SELECT * FROM json_to_recordset($1) AS x (id bigint,
       room text, body text, request_id uuid, fold text)),
     s AS (INSERT INTO message_search (message_id, title_fold, body_fold)
       SELECT id, 'title ' || id, fold FROM x)
     INSERT INTO message (id, root_id, room, author, title, body, created_at,
       request_id, message_hash, log_index, vote_secret, last_activity_id, salt)
     SELECT id, id, room, 'a', 'Title ' || id, body, 0, request_id,
       sha256(convert_to(id::text, 'UTF8')), 1000000 + id, '\\x00', id,
       decode(repeat('00', 16), 'hex') FROM x`,
    [JSON.stringify(rows)],
  );
}

const rareIds = (from = 1) =>
  Array.from({ length: COUNT }, (_, n) => COUNT - n).filter(
    (id) => id % 999 === 7 && id >= from,
  );

describe('the archive of search', () => {
  const test = givenReadable({
    limits: { searches_per_network_minute: 1_000_000 },
    env: { ROLES: 'api', FUNNEL_PHRASES: JSON.stringify([PHRASE]) },
  });
  let writes: Database;
  let first: number;
  let told: unknown[];

  const search = (q: string, more = '') =>
    get(test, `/api/search?q=${encodeURIComponent(q)}${more}`);
  const found = async (q: string, more = '') => ids(await search(q, more));
  const slices = async (segment: number) => {
    const [row] = await writes.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM search_slice WHERE segment = $1',
      [segment],
    );
    return row?.count ?? 0;
  };

  const QUERIES: readonly [string, string?][] = [
    ['kingfisher'],
    ['kingFISHER', '&room=findings'],
    ['kingfisher', '&visibility=hidden'],
    ['kingfisher', '&visibility=all&limit=3'],
    ['kz'],
    ['οδος'],
    ['STRASSE;'],
    ['common', '&limit=100'],
    ['common', '&before=4200&limit=5'],
    ['ds of message 4095'],
    ['message 4096'],
    ['message 8191'],
    ['message 8192'],
    ['title 2000'],
    ['title 2000 '],
    ['e 77', '&before=7800'],
    ['messages'],
    ['sdrow'],
    ['qx'],
    ['ſtraſſe'],
    ['100%_'],
    ['kingfisher 8191', '&match=any'],
    ['kingfisher "message 1006"', '&match=any&visibility=all&limit=3'],
    ['kingfisher "and straße"', '&match=all&author=a'],
    ['kingfisher q1 q2 q3 q4 q5 q6 q7 q8', '&match=any'],
    ['kingfisher', '&author=b'],
    ['kingfisher', '&sort=score&limit=3&after=1970-01-01'],
  ];
  const answers = async () => {
    const all: unknown[] = [];
    for (const [q, more] of QUERIES) all.push((await search(q, more)).body);
    return all;
  };
  before(async () => {
    writes = test.board.context.writes;
    first = (await topic(test)) + 1;
    await fill(test, first);
    await setVisibility(test, 1006, 'hidden_by_ratings');
    told = await answers();
  });

  it('takes segments that are whole, not the newest', async () => {
    const { log } = test.board.context;
    const never = new AbortController().signal;
    const rows = await archiveSearch({ writes, log }, never);
    expect(rows).to.deep.equal({ segments: 2 });
    expect(await dueSegment(writes)).to.equal(null);
    const [left] = await writes.query<{ least: number }>(
      'SELECT min(message_id) AS least FROM message_search',
    );
    expect(left?.least).to.equal(2 * SEGMENT);
  });

  it('finds what was found without it, in the same order', async () => {
    expect(await answers()).to.deep.equal(told);
    expect(await found('kingfisher', '&visibility=all')).to.deep.equal(
      rareIds(first),
    );
  });

  it('pages through what is archived and what is not', async () => {
    const seen: number[] = [];
    let url: string | null = '/api/search?q=kingfisher&limit=2';
    while (url !== null) {
      const answer = await get(test, url);
      seen.push(...ids(answer));
      url = answer.body.next;
    }
    expect(seen).to.deep.equal(rareIds(first).filter((id) => id !== 1006));
  });

  it('routes to an archived topic with a phrase', async () => {
    const { body } = await preview(test, {
      title: 'Something else',
      body: `My ${PHRASE}.`,
    });
    expect(body.routing).to.include({ rule: 'funnel', target_id: 5000 });
  });

  it('loses all keys of a segment with the text of one message', async () => {
    expect(await slices(1)).to.be.above(0);
    await decideTo.remove(test, 5002);
    expect(await slices(1)).to.equal(0);
    expect(await slices(0)).to.be.above(0);
    expect((await archiveState(writes)).missing).to.deep.equal([1]);
    expect(await found('kingfisher')).not.to.include(5002);
    expect(await found('kingfisher')).to.include.members([4003, 6001]);
    expect(await found('message 5003')).to.deep.equal([5003]);
  });

  it('finds a text that came back, before and after its keys', async () => {
    await decideTo.reinstate(test, 5002);
    expect(await answers()).to.deep.equal(told);
    expect(await dueSegment(writes)).to.equal(1);
    expect(await archiveSegment(writes, 1)).to.equal(true);
    expect(await archiveState(writes)).to.deep.include({
      segments: 2,
      missing: [],
    });
    expect(await answers()).to.deep.equal(told);
  });

  it('keeps no keys that were read before a text went', async () => {
    await decideTo.remove(test, 6001);
    let isRead = false;
    const { manager } = writes;
    const find: typeof manager.find = async (entity, options) => {
      if (!isRead && entity === Message) {
        isRead = true;
        await writes.transaction((tx) => forgetKeys(tx, [20]));
      }
      return await manager.find(entity, options);
    };
    const meanwhile: Database = {
      ...writes,
      manager: Object.assign(Object.create(manager), { find }),
    };
    expect(await archiveSegment(meanwhile, 1)).to.equal(false);
    expect(await slices(1)).to.equal(0);
    expect(await found('message 4500')).to.deep.equal([4500]);
    expect((await archiveState(writes)).missing).to.deep.equal([1, 0]);
    expect(await archiveSegment(writes, 1, () => false)).to.equal(false);
    expect(await archiveSegment(writes, 0)).to.equal(true);
    expect(await archiveSegment(writes, 1)).to.equal(true);
    expect(await found('message 4500')).to.deep.equal([4500]);
  });

  it('leaves the newest where they are when one of them goes', async () => {
    const id = COUNT - 5;
    await decideTo.remove(test, id);
    expect(await found(`message ${id}`)).to.deep.equal([]);
    await decideTo.reinstate(test, id);
    expect(await found(`message ${id}`)).to.deep.equal([id]);
    expect((await archiveState(writes)).missing).to.deep.equal([]);
  });
});
