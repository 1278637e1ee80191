import { BASE_URL } from '../../support/board.js';
import { decideTo } from '../../support/decide.js';
import { randomUUID } from '../../support/random.js';
import { givenReadable, topic } from '../reading/fixture.js';
import { linksOf, mainOf, page, wordsOf } from './page.js';

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

describe('/report', () => {
  const test = givenReadable({ env: { BOARD_CONTACT: 'ops@board.example' } });
  let network = 0;

  function send(
    fields: Record<string, string>,
    headers: Record<string, string> = { Origin: BASE_URL },
    as?: string,
  ) {
    network += 1;
    return test
      .as(as ?? `203.0.113.${network}`)
      .post('/report')
      .set({
        Accept: 'text/html',
        'Content-Type': 'application/x-www-form-urlencoded',
        ...headers,
      })
      .send(new URLSearchParams(fields).toString());
  }

  const filled = (message: number, more: Record<string, string> = {}) => ({
    request_id: randomUUID(),
    kind: 'report',
    message_id: String(message),
    reason: 'spam',
    detail: '',
    ...more,
  });

  const status = async (uuid: string) =>
    (await test.as().get(`/api/reports/${uuid}`)).body;

  it('is a form that says who reads it, from every message', async () => {
    const id = await topic(test, {
      title: 'Odd <title>',
      body: '**Odd** text',
    });
    const thread = await mainOf(test, `/t/${id}`);
    expect(linksOf(thread)).to.include(`/report?message=${id}`);
    const { text, headers } = await page(test, `/report?message=${id}`);
    expect(headers['cache-control']).to.equal('no-store');
    expect(headers.etag).to.equal(undefined);
    expect(text).to.contain('<meta name="referrer" content="same-origin"');
    expect(text).to.contain(
      '<form class="report" method="post" action="/report">',
    );
    const words = wordsOf(text);
    for (const part of [
      'Only they read your report',
      'ops@board.example',
      'Odd <title>',
      'Odd text',
    ]) {
      expect(words).to.contain(part);
    }
    const again = await page(test, `/report?message=${id}`);
    const uuidOf = (html: string) =>
      /name="request_id" value="([^"]*)"/.exec(html)?.[1];
    expect(uuidOf(text)).to.match(UUID);
    expect(uuidOf(again.text)).not.to.equal(uuidOf(text));
    expect(await mainOf(test, '/report')).to.contain(
      '<label for="message_id">',
    );
    expect(await mainOf(test, '/report?message=999')).to.contain(
      '<label for="message_id">',
    );
    await page(test, '/report?message=x', 400);
  });

  it('files the report, and shows its UUID and its state', async () => {
    const id = await topic(test);
    const fields = filled(id, { detail: 'one\r\ntwo' });
    const answer = await send(fields, {}, '203.0.113.200').expect(201);
    expect(answer.headers['content-type']).to.contain('text/html');
    expect(answer.headers['cache-control']).to.equal('no-store');
    expect(answer.headers['access-control-allow-origin']).to.equal(undefined);
    expect(answer.headers.ratelimit).to.be.a('string');
    expect(wordsOf(answer.text)).to.contain(fields.request_id);
    const path = `/report/${fields.request_id}`;
    expect(linksOf(answer.text)).to.include(path);
    // A browser shows, keeps and reloads the address of the state.
    expect(answer.headers.refresh).to.equal(`0; url=${path}`);
    expect(answer.headers.location).to.equal(path);
    expect(await status(fields.request_id)).to.include({
      status: 'received',
      kind: 'report',
      message_id: id,
    });
    const state = wordsOf(await mainOf(test, path));
    expect(state).to.contain('Received. Nobody has begun with it yet.');
    expect(state).not.to.contain('two');
    // The same as JSON is the same report: what became of it is one thing.
    const { detail, ...rest } = fields;
    const json = { ...rest, message_id: id, detail: 'one\ntwo' };
    await test.as().post('/api/reports').send(json).expect(200);
    expect((await send(fields)).status).to.equal(200);
    const other = await send({ ...fields, reason: 'other' }).expect(409);
    expect(wordsOf(other.text)).to.contain('This form was sent before');
    expect(other.text).not.to.contain(`value="${fields.request_id}"`);
    await test.flush();
    const { body } = await test.as().get('/api/usefulness');
    expect(body.errors).to.deep.include({
      operation: 'report',
      code: 'request_id_conflict',
      count: 1,
    });
  });

  it('leads to the decision', async () => {
    const id = await topic(test);
    const fields = filled(id);
    await send(fields).expect(201);
    const reportIds = [fields.request_id];
    await decideTo.remove(test, id, { reportIds });
    const html = await mainOf(test, `/report/${fields.request_id}`);
    expect(wordsOf(html)).to.contain('Closed: the operators decided.');
    expect(linksOf(html)).to.include(`/moderation?message=${id}`);
  });

  it('takes an appeal about a removed message', async () => {
    const id = await topic(test, { body: 'vanished words' });
    await decideTo.remove(test, id);
    const html = await mainOf(test, `/report?message=${id}`);
    expect(html).to.contain('<option value="appeal" selected>');
    expect(html).not.to.contain('vanished words');
    const fields = filled(id, { kind: 'appeal', reason: 'other' });
    await send(fields).expect(201);
    expect((await status(fields.request_id)).kind).to.equal('appeal');
  });

  it('is sent from this board only', async () => {
    const id = await topic(test);
    const fields = filled(id);
    for (const headers of [
      { Origin: 'http://evil.example' },
      { Origin: 'null' },
      { Origin: '' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Referer: 'http://evil.example/report' },
      { Referer: 'no address' },
    ]) {
      const answer = await send(fields, headers as Record<string, string>);
      expect(answer.status, JSON.stringify(headers)).to.equal(403);
      expect(answer.headers['content-type']).to.contain('text/html');
    }
    expect((await status(fields.request_id)).error).to.equal(
      'report_not_found',
    );
    // Browsers for a terminal say less, and nothing against it.
    for (const headers of [{}, { Referer: `${BASE_URL}/report` }]) {
      const sent = test.as().post('/report').set(headers);
      await sent.type('form').send(filled(id)).expect(201);
    }
  });

  it('shows the form again with what has to be mended', async () => {
    const id = await topic(test);
    const detail = '<b>kept</b>';
    for (const [changed, code, words] of [
      [{ reason: '' }, 400, 'Choose a reason.'],
      [{ reason: 'boring' }, 400, 'Choose a reason.'],
      [{ message_id: '' }, 400, 'Give the number of a message'],
      [{ message_id: '1e3' }, 400, 'Give the number of a message'],
      [
        { message_id: '999999' },
        404,
        'No message of this board has this number.',
      ],
      [{ request_id: 'x' }, 400, '`request_id` must be a UUID'],
      [
        { detail: `${detail}${'x'.repeat(2000)}` },
        422,
        'at most 2000 code points',
      ],
      [{ extra: '1' }, 400, '`extra` is not a field'],
      [{ __proto__x: '1' }, 400, 'is not a field'],
    ] as const) {
      const answer = await send({ ...filled(id, { detail }), ...changed });
      expect(answer.status, words).to.equal(code);
      expect(wordsOf(answer.text)).to.contain(words);
      expect(answer.text).to.contain('role="alert"');
      expect(answer.text).to.contain('&lt;b&gt;kept&lt;/b&gt;');
    }
  });

  it('refuses what no form sends', async () => {
    const raw = (body: string | Buffer, type?: string, path = '/report') =>
      test
        .as()
        .post(path)
        .set({ Accept: 'text/html', Origin: BASE_URL })
        .set('Content-Type', type ?? 'application/x-www-form-urlencoded')
        .send(body as string);
    expect((await raw('{}', 'application/json')).status).to.equal(415);
    expect((await raw('a=1', 'multipart/form-data')).status).to.equal(415);
    expect((await raw('a=1', undefined, '/report?a=1')).status).to.equal(400);
    expect((await raw('x'.repeat(70_000))).status).to.equal(413);
    for (const body of [
      'reason=%ff',
      'reason=%00',
      'reason=spam&reason=spam',
      '__proto__=1&constructor=2',
      '=',
      '',
      '%',
      '&&&',
    ]) {
      const answer = await raw(body);
      expect(answer.status, body).to.equal(400);
      expect(answer.headers['content-type'], body).to.contain('text/html');
    }
    const { headers } = await test.as().put('/report').expect(405);
    expect(headers.allow).to.equal('GET, HEAD, POST, OPTIONS');
  });

  it('knows no state of what was never reported', async () => {
    await page(test, `/report/${randomUUID()}`, 404);
    await page(test, '/report/x', 404);
  });
});
