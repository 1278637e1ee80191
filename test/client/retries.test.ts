import {
  BoardRefusal,
  ClientRefusal,
  NoAnswer,
} from '../../client/board-client.js';
import { givenBoard } from '../support/hooks.js';
import type { Asked } from '../support/http-proxy.js';
import { withLimits } from '../support/limits.js';
import { publish } from '../support/post.js';
import { asking, failure, givenProxies } from './support/asking.js';
import { type Fate, fatesOf } from './support/proxy.js';

const TOPIC = { title: 'A topic', body: 'Its text.' };
const PREVIEW = '/write/preview';
const PUBLISH = '/write/publish';

describe('a client behind a bad connection', () => {
  const test = givenBoard({ lifted: true });
  const through = givenProxies(test);
  let had = 0;

  beforeEach(async () => {
    had = await all();
  });

  const uuids = (seen: readonly Asked[]) =>
    new Set(seen.map(({ body }) => JSON.parse(body).request_id));

  const all = async () =>
    (await asking(test).client.updates({ limit: 100 })).count;
  const messages = async () => (await all()) - had;

  it('sends the same ticket again when the answer is lost', async () => {
    const { client, waits, proxy } = await through(
      fatesOf(PUBLISH, 'lose-answer', 'lose-answer'),
    );
    const receipt = await client.post(TOPIC);
    expect(receipt.status).to.equal('already_published');
    expect(await messages()).to.equal(1);
    const [ticket, ...others] = proxy.to(PUBLISH).map(({ body }) => body);
    expect(others).to.deep.equal([ticket, ticket]);
    expect(proxy.to(PREVIEW)).to.have.length(1);
    expect(waits).to.deep.equal([250, 500]);
    const stored = await client.request(receipt.message.request_id);
    expect({ ...stored?.receipt, status: 0 }).to.deep.equal({
      ...receipt,
      status: 0,
    });
  });

  it('previews again when the preview is lost', async () => {
    const { client, proxy } = await through(
      fatesOf(PREVIEW, 'lose-request', 'lose-answer'),
    );
    const receipt = await client.post(TOPIC);
    expect(receipt.status).to.equal('published');
    expect(proxy.to(PREVIEW)).to.have.length(3);
    expect(uuids(proxy.to(PREVIEW)).size).to.equal(1);
    expect(await messages()).to.equal(1);
  });

  it('takes 5xx and cut answers of a proxy for no answer', async () => {
    const fates: Fate[] = [
      { status: 502, body: '<h1>Bad gateway</h1>' },
      { status: 503, body: 'busy', headers: { 'Retry-After': '7' } },
      { change: (text) => text.slice(0, 40) },
      { status: 500, body: '{"error":"internal_error","detail":"Oh."}' },
    ];
    const { client, waits, proxy } = await through(fatesOf(PUBLISH, ...fates));
    const receipt = await client.post(TOPIC);
    expect(receipt.status).to.equal('already_published');
    expect(waits).to.deep.equal([250, 7000, 1000, 2000]);
    expect(proxy.to(PREVIEW)).to.have.length(1);
    expect(await messages()).to.equal(1);
  });

  it('looks the receipt up once the ticket is gone', async () => {
    const { client, proxy } = await through(({ path }, nth) => {
      if (path !== PUBLISH) return 'pass';
      const text = '{"error":"ticket_invalid","detail":"No such ticket."}';
      return nth === 0 ? 'lose-answer' : { status: 400, body: text };
    });
    const receipt = await client.post(TOPIC);
    expect(receipt.status).to.equal('published');
    expect(proxy.to(PREVIEW)).to.have.length(1);
    expect(proxy.to(PUBLISH)).to.have.length(2);
    expect(await messages()).to.equal(1);
  });

  it('previews the same again when the ticket ran out unused', async () => {
    const late = { status: 503, body: '', headers: { 'Retry-After': '601' } };
    const { client, waits } = await through(fatesOf(PUBLISH, late));
    const failed = await failure(client.post(TOPIC), BoardRefusal);
    expect(failed.status).to.equal(503);
    expect(failed.retryAfter).to.equal(601);
    expect(waits, 'longer than its patience').to.deep.equal([]);

    const patient = await through(fatesOf(PUBLISH, late), { patienceMs: 1e6 });
    const receipt = await patient.client.post(TOPIC);
    expect(receipt.status).to.equal('published');
    const previews = patient.proxy.to(PREVIEW);
    expect(previews).to.have.length(2);
    expect(previews[0]?.body).to.equal(previews[1]?.body);
    const { request_id: uuid } = receipt.message;
    expect(patient.proxy.to(`/api/requests/${uuid}`)).to.have.length(1);
    expect(await messages()).to.equal(1);
  });

  it('gives up within its patience, naming the request to go on with', async () => {
    const { client, waits } = await through(({ path }) =>
      path === PUBLISH ? 'lose-answer' : 'pass',
    );
    const error = await failure(client.post(TOPIC), NoAnswer);
    const waited = waits.reduce((sum, ms) => sum + ms, 0);
    expect(waited).to.be.within(60_000, 120_000);
    expect(await messages()).to.equal(1);
    const request_id = error.requestId ?? '';
    const direct = asking(test).client;
    const receipt = await direct.post({ ...TOPIC, request_id });
    expect(receipt.message.request_id).to.equal(request_id);
    expect(await messages()).to.equal(1);
  });

  it('never takes another message for its own', async () => {
    const theirs = await publish(test, { body: 'Theirs.' });
    const { request_id } = theirs.message;
    const { client } = await through(() => 'pass');
    const error = await failure(
      client.post({ ...TOPIC, request_id }),
      BoardRefusal,
    );
    expect(error.code).to.equal('request_id_conflict');
  });

  it('stops at an answer that is no board’s, and at a changed preview', async () => {
    const page = await through(() => ({ status: 404, body: '<h1>Hello</h1>' }));
    const stranger = await failure(page.client.post(TOPIC), ClientRefusal);
    expect(stranger.reason).to.equal('not_a_board');
    const changes: [RegExp, string][] = [
      [/"body":"Its text\."/, '"body":"Other."'],
      [/"title":"A topic"/, '"title":"Other"'],
      [/"author":"anonymous-agent"/, '"author":"somebody"'],
      [/"room":"lobby"/, '"room":"findings"'],
      [/"reply_to":null/, '"reply_to":7'],
      [/"agent_id":null/, '"agent_id":"a1yo4vra6fbac4f2gcfnwqle6xsiexgrox"'],
      [/"body_sha256":"./, '"body_sha256":"x'],
      [/"body_bytes"/, '"public_vote":{"message_id":1,"vote":1},"body_bytes"'],
    ];
    for (const [pattern, text] of changes) {
      const change = (answer: string) => answer.replace(pattern, text);
      const liar = await through(fatesOf(PREVIEW, { change }));
      const error = await failure(liar.client.post(TOPIC), ClientRefusal);
      expect(error.reason, text).to.equal('preview_mismatch');
      expect(liar.proxy.to(PUBLISH)).to.deep.equal([]);
    }
    expect(await messages()).to.equal(0);
  });

  it('stops at once when it is told to', async () => {
    const stop = new AbortController();
    const { client } = await through(({ path }) => {
      if (path === PUBLISH) stop.abort(new Error('enough'));
      return path === PUBLISH ? 'lose-answer' : 'pass';
    });
    const { signal } = stop;
    const error = await failure(client.post(TOPIC, { signal }), Error);
    expect(error.message).to.equal('enough');
  });

  it('says in a word why nobody answers', async () => {
    const gone = await through(() => 'pass');
    await gone.proxy.stop();
    const { client } = asking(test, { board: gone.proxy.url, patienceMs: 0 });
    const error = await failure(client.post(TOPIC), NoAnswer);
    expect(error.message).to.include('ECONNREFUSED');
    expect((await failure(client.brief(), NoAnswer)).message).to.include('127');
  });

  it('waits for previews and attempts too, as long as it is asked to', async () => {
    const limits = {
      previews_per_network_hour: 1,
      publish_attempts_per_network_minute: 1,
    };
    await withLimits(test, limits, async (address) => {
      const patient = { address, patienceMs: 4_000_000 };
      const { client, waits } = asking(test, patient);
      await client.post(TOPIC);
      await client.post({ ...TOPIC, title: 'Second' });
      expect(waits).to.deep.equal([3_600_000]);
    });
  });
});
