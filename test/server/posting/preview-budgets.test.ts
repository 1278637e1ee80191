import { publishSigned, register } from '../../support/agent.js';
import { givenBoard } from '../../support/hooks.js';
import {
  filled,
  type Post,
  preview,
  publish,
  submit,
} from '../../support/post.js';
import { freshNetwork, randomUUID } from '../../support/random.js';
import { SURVEY } from '../polls/polling.js';
import { previewRating, rate } from '../votes/rating.js';

type Budget = {
  limit: string;
  policy: string;
  remaining: number;
  resets_in_seconds: number;
};
type Answer = {
  body: { budgets: Budget[]; warnings?: { code: string }[] };
  headers: Record<string, string>;
};

const TOPICS = { topics_per_source_hour: 2, writes_per_network_minute: 3 };

const left = ({ body }: Answer) =>
  Object.fromEntries(
    body.budgets.map(({ limit, remaining }) => [limit, remaining]),
  );

/** The headers say the same as the body, and of previews besides. */
function expectHeaders({ body, headers }: Answer): void {
  const policies = headers['ratelimit-policy']?.split(', ') ?? [];
  expect(policies.slice(1)).to.deep.equal(
    body.budgets.map(({ policy }) => policy),
  );
  const remaining = headers.ratelimit?.split(', ') ?? [];
  expect(remaining.slice(1)).to.deep.equal(
    body.budgets.map(
      ({ limit, remaining: r, resets_in_seconds: t }) =>
        `"${limit}";r=${r}${t === 0 ? '' : `;t=${t}`}`,
    ),
  );
  expect(policies[0]).to.match(/^"previews_per_network_hour"/);
}

describe('what a preview says of its publication', () => {
  const test = givenBoard({ limits: { ...TOPICS, open_polls_max: 1 } });

  const topic = async (post: Post, from: string) =>
    (await publish(test, post, from)).message.id;

  const publishing = (
    previewed: Awaited<ReturnType<typeof preview>>,
    from: string,
  ) => submit(test, filled(previewed), from);

  it('names every limit of a topic, with what is left, in body and headers', async () => {
    const from = '198.51.100.1';
    const fresh = await preview(test, {}, from);
    expect(left(fresh)).to.deep.equal({
      publish_attempts_per_network_minute: 60,
      writes_per_board_minute: 30,
      writes_per_network_minute: 3,
      writes_per_network_hour: 60,
      topics_per_source_hour: 2,
      topics_per_source_day: 10,
    });
    expectHeaders(fresh);
    expect(fresh.body.budgets[4]).to.deep.equal({
      limit: 'topics_per_source_hour',
      policy: '"topics_per_source_hour";q=2;w=3600',
      remaining: 2,
      resets_in_seconds: 0,
    });
    await publishing(fresh, from).expect(201);
    test.clock.advance(20_000);
    const next = await preview(test, {}, from);
    expect(left(next)).to.include({
      publish_attempts_per_network_minute: 59,
      writes_per_board_minute: 29,
      writes_per_network_minute: 2,
      topics_per_source_hour: 1,
      topics_per_source_day: 9,
    });
    expectHeaders(next);
    expect(next.body.budgets[2]?.resets_in_seconds).to.equal(40);
    expect(next.body).not.to.have.property('warnings');
  });

  it('names no topics for a reply', async () => {
    const id = await topic({}, '198.51.100.2');
    const reply = await preview(test, { reply_to: id }, '198.51.100.2');
    expect(left(reply)).not.to.have.any.keys(
      'topics_per_source_hour',
      'topics_per_source_day',
    );
    expectHeaders(reply);
  });

  it('counts the limits of the signing key, from whichever network', async () => {
    const agent = await register(test);
    const signed = { agent_id: agent.id };
    const first = await preview(test, signed, '198.51.100.3');
    expect(left(first)).to.include({
      writes_per_key_minute: 6,
      writes_per_key_hour: 60,
      topics_per_source_hour: 2,
    });
    await publishSigned(test, agent, {}, '198.51.100.3');
    const elsewhere = await preview(test, signed, '198.51.100.4');
    expect(left(elsewhere)).to.include({
      writes_per_key_minute: 5,
      writes_per_network_minute: 3,
      topics_per_source_hour: 1,
    });
  });

  it('warns of topics used up, with a reply to send, exactly as publishing refuses', async () => {
    const from = '198.51.100.5';
    await topic({}, from);
    test.clock.advance(61_000);
    const target = await topic({}, from);
    test.clock.advance(61_000);
    const again = await preview(test, { title: 'One too many' }, from);
    expect(again.status).to.equal(200);
    const [warning, ...more] = again.body.warnings;
    expect(more).to.deep.equal([]);
    expect(warning).to.include({
      code: 'topic_budget_exhausted',
      scope: 'topics_per_source_hour',
      wait_seconds: 3600 - 122,
    });
    const refused = await publishing(again, from).expect(429);
    expect(refused.body).to.include({
      error: 'topic_budget_exhausted',
      scope: warning.scope,
      retry_after_seconds: warning.wait_seconds,
    });
    const { json_template: template } = warning.suggested_action;
    expect(template.reply_to).to.equal('ID_OF_A_MESSAGE');
    const reply = await test.post(
      '/write/preview',
      { ...template, reply_to: target },
      from,
    );
    expect(reply.status, reply.text).to.equal(200);
    await publishing(reply, from).expect(201);
  });

  it('tells a topic with a poll to wait with its request_id, which then works', async () => {
    const from = '198.51.100.6';
    await topic({}, from);
    await topic({}, from);
    const post = { title: 'A poll', poll: SURVEY, request_id: randomUUID() };
    const previewed = await preview(test, post, from);
    const [warning] = previewed.body.warnings;
    expect(warning.code).to.equal('topic_budget_exhausted');
    const refused = await publishing(previewed, from);
    expect(refused.body.error).to.equal('topic_budget_exhausted');
    for (const it of [warning, refused.body]) {
      const { json_template: template } = it.suggested_action;
      expect(template).to.include({ request_id: post.request_id });
      expect(template.poll).to.deep.include(SURVEY);
      expect(template).not.to.have.property('reply_to');
      const wait = it.wait_seconds ?? it.retry_after_seconds;
      expect(it.suggested_action.instruction).to.include(`Wait ${wait} s`);
    }
    test.clock.advance(warning.wait_seconds * 1000);
    const { json_template: template } = refused.body.suggested_action;
    const later = await test.as(from).post('/write/preview').send(template);
    expect(later.body, later.text).not.to.have.property('warnings');
    const receipt = await publishing(later, from);
    expect(receipt.status, receipt.text).to.equal(201);
    expect(receipt.body.message.request_id).to.equal(post.request_id);
    expect(receipt.body.poll).to.have.all.keys('id');
  });

  it('warns of writes used up and of open polls at their most', async () => {
    const from = '198.51.100.7';
    const id = await topic({}, from);
    for (let n = 0; n < 2; n += 1) {
      await publish(test, { reply_to: id }, from);
    }
    const reply = await preview(test, { reply_to: id }, from);
    expect(reply.body.warnings).to.have.length(1);
    expect(reply.body.warnings[0]).to.include({
      code: 'writes_exhausted',
      scope: 'writes_per_network_minute',
      wait_seconds: 60,
    });
    const poll = await preview(test, { poll: SURVEY }, '198.51.100.8');
    expect(poll.status).to.equal(200);
    expectHeaders(poll);
    expect(left(poll)).to.include({ open_polls_max: 0 });
    expect(poll.body.warnings[0]).to.include({
      code: 'open_polls_exhausted',
      scope: 'open_polls_max',
    });
    const refused = await publishing(poll, '198.51.100.8');
    expect(refused.body).to.include({
      error: 'rate_limited',
      scope: 'open_polls_max',
      retry_after_seconds: poll.body.warnings[0].wait_seconds,
    });
  });

  it('says that a request_id is published, with its receipt, and keeps the rest', async () => {
    const from = '198.51.100.9';
    const post = { request_id: randomUUID(), body: 'Once' };
    const receipt = await publish(test, post, from);
    const again = await preview(test, post, from);
    expect(again.body.status).to.equal('preview_only_nothing_published');
    expect(again.body).to.include.keys('challenge', 'ticket', 'publish');
    expect(again.body.warnings).to.have.length(1);
    const [warning] = again.body.warnings;
    expect(warning.code).to.equal('request_already_published');
    expect(warning.receipt).to.deep.equal({
      ...receipt,
      status: 'already_published',
    });
    const answer = await publishing(again, from);
    expect([answer.status, answer.body]).to.deep.equal([200, warning.receipt]);
    // An exact retry meets the limit of attempts alone.
    expect(Object.keys(left(again))).to.deep.equal([
      'publish_attempts_per_network_minute',
    ]);
    const other = await preview(test, { ...post, body: 'Twice' }, from);
    expect(other.body.status).to.equal('preview_only_nothing_published');
    const [conflict, ...more] = other.body.warnings;
    expect(more).to.deep.equal([]);
    expect(conflict.code).to.equal('request_id_conflict');
    expect((await publishing(other, from)).body.error).to.equal(
      'request_id_conflict',
    );
    const { pathname } = new URL(conflict.suggested_action.url);
    const known = await test.as(from).get(pathname);
    expect(known.body.body).to.equal('Once');
  });

  it('says that a vote counts already and what publishing answers', async () => {
    const from = '198.51.100.10';
    const id = await topic({}, from);
    const first = await previewRating(test, id, { vote: 1 }, from);
    expect(first.body).not.to.have.property('warnings');
    expect(first.headers.ratelimit).to.equal(
      '"failed_tickets_per_network";r=100',
    );
    const cast = await rate(test, id, 1, from);
    expect(cast.headers['ratelimit-policy']).to.equal(
      '"failed_tickets_per_network";q=100;w=1200',
    );
    for (const [vote, status] of [
      [1, 200],
      [-1, 409],
    ] as const) {
      const again = await previewRating(test, id, { vote }, from).expect(200);
      const [warning] = again.body.warnings;
      expect(warning.code).to.equal('already_voted');
      expect(warning.detail).to.include(`publishing answers ${status}`);
      expect((await rate(test, id, vote, from)).status).to.equal(status);
    }
    const reply = await preview(test, { reply_to: id, vote: -1 }, from);
    expect(
      reply.body.warnings.map(({ code }: { code: string }) => code),
    ).to.deep.equal(['already_voted']);
    expect((await publishing(reply, from)).status).to.equal(201);
  });

  it('spends a preview on an agent that it refuses, none on a bad value', async () => {
    const from = freshNetwork();
    const ask = (agent_id: unknown) => preview(test, { agent_id }, from);
    for (let n = 0; n < 3; n += 1) expect((await ask(1)).status).to.equal(400);
    for (let n = 0; n < 2; n += 1) {
      expect((await ask('ann')).body.error).to.equal('key_unknown');
    }
    const { headers } = await preview(test, {}, from);
    expect(headers.ratelimit).to.match(/^"previews_per_network_hour";r=87;/);
  });
});
