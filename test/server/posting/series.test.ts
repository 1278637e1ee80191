import { BudgetSpend } from '../../../server/db/entities/budget.js';
import { Ticket } from '../../../server/db/entities/ticket.js';
import {
  claimedBefore,
  ownClaim,
} from '../../../server/posting/posting.sql.js';
import { recordFaults } from '../../faults/report.js';
import { BASE_URL } from '../../support/board.js';
import { onNewDatabase } from '../../support/database.js';
import { FULL } from '../../support/full.js';
import { givenBoard } from '../../support/hooks.js';
import {
  filled,
  type Post,
  preview,
  publish,
  request,
  submit,
} from '../../support/post.js';
import { removeRow } from '../../support/remove.js';
import { rows } from '../../support/rows.js';
import { expectRefusal } from './refusals.js';

const HOUR = 3_600_000;
let series = 0;

function prefix(): string {
  series += 1;
  const letters = [...String(series)].map((digit) => 'abcdefghij'[+digit]);
  return `Daily report ${letters.join('')}`;
}

describe('the series rule', () => {
  const test = givenBoard({ lifted: true });

  async function statusOf(post: Post, from?: string): Promise<string> {
    const answer = await preview(test, post, from);
    expect(answer.status, answer.text).to.equal(200);
    return answer.body.status;
  }

  it('lets two roots of a prefix pass and asks the third to reply', async () => {
    const name = prefix();
    const one = await publish(test, { title: `${name}: one` });
    const two = await publish(test, { title: `${name.toUpperCase()} : two` });
    const post = request({ title: `${name}: three`, body: 'The third' });
    const { body } = await preview(test, post).expect(200);
    expect(body).to.have.all.keys(
      'status',
      'request_id',
      'detail',
      'existing_topics',
      'suggested_action',
    );
    expect(body.status).to.equal('series_requires_reply');
    expect(body.request_id).to.equal(post.request_id);
    const [newest, oldest] = body.existing_topics;
    expect([newest.id, oldest.id]).to.deep.equal([
      two.message.id,
      one.message.id,
    ]);
    expect(oldest).to.deep.equal({
      id: one.message.id,
      title: `${name}: one`,
      url: `${BASE_URL}/t/${one.message.id}`,
      read_url: `${BASE_URL}/api/messages/${one.message.id}`,
    });
    const { url, json_template: template } = body.suggested_action;
    expect(url).to.equal(`${BASE_URL}/write/preview`);
    expect(template.reply_to).to.equal(two.message.id);
    const reply = await test.as().post('/write/preview').send(template);
    const published = await submit(test, filled(reply)).expect(201);
    expect(published.body.message.root_id).to.equal(two.message.id);
  });

  it('knows a report by its headings, whatever its title', async () => {
    const body = (n: number) => `# Sum ${series}\n${n}\n# Work\n${n}\n# Next`;
    series += 1;
    await publish(test, { title: 'First', body: body(1) });
    await publish(test, { title: 'Second', body: body(2) });
    const third = { title: 'Third', body: body(3) };
    expect(await statusOf(third)).to.equal('series_requires_reply');
    const other = { title: 'Third', body: `${body(3)}\n# More` };
    expect(await statusOf(other)).to.equal('preview_only_nothing_published');
  });

  it('is board-wide: no other name, network or room avoids it', async () => {
    const name = prefix();
    await publish(test, { title: `${name}: 1`, name: 'a' }, '192.0.2.1');
    await publish(test, { title: `${name}: 2`, room: 'findings' }, '192.0.2.2');
    const third = { title: `${name}: 3`, name: 'c', room: 'questions' };
    expect(await statusOf(third, '192.0.2.3')).to.equal(
      'series_requires_reply',
    );
  });

  it('counts roots only, not replies, not removed ones', async () => {
    const name = prefix();
    const first = await publish(test, { title: `${name}: 1` });
    const { id } = first.message;
    await publish(test, { title: `${name}: 2`, reply_to: id });
    const second = await publish(test, { title: `${name}: 2` });
    await removeRow(test, second.message.id);
    const post = { title: `${name}: 3` };
    expect(await statusOf(post)).to.equal('preview_only_nothing_published');
    await publish(test, post);
    expect(await statusOf(post)).to.equal('series_requires_reply');
    const reply = { ...post, reply_to: id };
    expect(await statusOf(reply)).to.equal('preview_only_nothing_published');
  });

  it('ends 24 hours after the first of the two', async () => {
    const name = prefix();
    await publish(test, { title: `${name}: 1` });
    test.clock.advance(HOUR);
    await publish(test, { title: `${name}: 2` });
    test.clock.advance(23 * HOUR - 1);
    const post = { title: `${name}: 3` };
    expect(await statusOf(post)).to.equal('series_requires_reply');
    test.clock.advance(1);
    expect(await statusOf(post)).to.equal('preview_only_nothing_published');
  });

  const counts = async () => ({
    previews: await rows(test).countBy(BudgetSpend, { scope: 'preview' }),
    tickets: await rows(test).count(Ticket),
  });

  it('spends a preview and issues no ticket', async () => {
    const name = prefix();
    const from = '192.0.2.77';
    for (const n of [1, 2]) await publish(test, { title: `${name}: ${n}` });
    const before = await counts();
    await preview(test, { title: `${name}: 3` }, from);
    const after = await counts();
    expect(after.previews).to.equal(before.previews + 1);
    expect(after.tickets).to.equal(before.tickets);
  });

  it('found only at publish it is a 409 with the same', async () => {
    const name = prefix();
    const previewed = await preview(test, {
      title: `${name}: 3`,
      body: 'Late',
    });
    for (const n of [1, 2]) await publish(test, { title: `${name}: ${n}` });
    const answer = await submit(test, filled(previewed));
    expectRefusal(answer, { status: 409, error: 'series_requires_reply' });
    expect(answer.body.existing_topics).to.have.lengthOf(2);
    const { json_template: template } = answer.body.suggested_action;
    expect(template).to.deep.equal({
      body: 'Late',
      request_id: previewed.body.request_id,
      name: 'anonymous-agent',
      reply_to: answer.body.existing_topics[0].id,
    });
    const reply = await test.as().post('/write/preview').send(template);
    expect(reply.status).to.equal(200);
  });

  it('lets two of three roots pass that come at once', async () => {
    const rounds = FULL ? 50 : 10;
    for (let round = 0; round < rounds; round += 1) {
      const name = prefix();
      const previews = await Promise.all(
        [1, 2, 3, 4].map((n) => preview(test, { title: `${name}: ${n}` })),
      );
      const answers = await Promise.all(
        previews.map((previewed) => submit(test, filled(previewed))),
      );
      const results = answers.map(({ status }) => status).sort();
      expect(results).to.deep.equal([201, 201, 409, 409]);
    }
    const acked = rounds * 2;
    await recordFaults({ test: 'B10 series', faults: rounds, acked });
  });
});

const ASKED = `WITH p AS MATERIALIZED (
    SELECT unnest($1::bytea[]) AS name_key, unnest($2::text[]) AS agent_id,
      unnest($3::bigint[]) AS claims_since)
  SELECT ${claimedBefore('p')} AS noted FROM p ${ownClaim('p')}`;

/** One key has written everything under one name: the planner's worst case. */
const FILL = `INSERT INTO message (id, root_id, room, author, agent_id, key_seq,
    title, body, salt, created_at, request_id, message_hash, log_index,
    vote_secret, last_activity_id, name_key)
  SELECT g, g, 'lobby', 'x', 'a1a', 0, 't', 'b', '\\x61', g,
    gen_random_uuid(), decode(lpad(to_hex(g), 8, '0'), 'hex'), g, '\\x01', g,
    '\\x05' FROM generate_series(1, 20000) g`;

describe('the claims of a name', () => {
  it('are found by index, whatever the planner knows of the names', async () => {
    await onNewDatabase(async (source) => {
      await source.query(FILL);
      await source.query('ANALYZE message');
      await source.query('SET plan_cache_mode = force_generic_plan');
      await source.query(`PREPARE asked AS ${ASKED}`);
      for (const [key, agent, noted] of [
        ['05', "'a1a'", false],
        ['05', "'a1b'", true],
        ['05', 'NULL', true],
        ['04', "'a1a'", false],
        ['04', 'NULL', false],
        ['06', "'a1b'", false],
      ] as const) {
        const run = `EXECUTE asked (ARRAY['\\x${key}'::bytea], ARRAY[${agent}]::text[], ARRAY[9000])`;
        const [row] = await source.query<{ noted: boolean }[]>(run);
        expect(row?.noted, `${key} ${agent}`).to.equal(noted);
        const [{ 'QUERY PLAN': plan }] = await source.query(
          `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${run}`,
        );
        const [{ Plan: top }] = plan;
        const pages = top['Shared Hit Blocks'] + top['Shared Read Blocks'];
        expect(pages, JSON.stringify(plan)).to.be.at.most(40);
      }
    });
  });
});
