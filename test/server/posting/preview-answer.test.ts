import { createHash } from 'node:crypto';
import { fromBase64, toBase64 } from '../../../protocol/bytes.js';
import { contentHash } from '../../../protocol/content.js';
import { formatStatement, messageHash } from '../../../protocol/statement.js';
import { BASE_URL } from '../../support/board.js';
import { givenBoard } from '../../support/hooks.js';
import {
  filled,
  preview,
  publish,
  request,
  submit,
} from '../../support/post.js';
import { randomUUID } from '../../support/random.js';
import { removeRow } from '../../support/remove.js';
import { CONFLICT, expectRefusal } from './refusals.js';

const ALWAYS = `status request_id public_message body_bytes body_code_points
  body_sha256 message_hash content challenge challenge_instruction
  ticket publish expires_at budgets community content_trust`.split(/\s+/);
const BODY = '  Kept \u{1f600}\r\n\te\u0301 as sent\n\n';

describe('POST /write/preview: the answer', () => {
  let root: number;
  let rootHash: string;

  const test = givenBoard({ lifted: true });

  before(async () => {
    const receipt = await publish(test, { room: 'questions' });
    root = receipt.message.id;
    rootHash = receipt.message_hash;
  });

  it('shows a topic exactly, without trimming or normalising', async () => {
    const request_id = randomUUID();
    const { status, body, headers } = await preview(test, {
      request_id,
      body: BODY,
      title: ' T\u0301 ',
      name: ' n ',
      room: 'workshop',
    });
    expect(status).to.equal(200);
    expect(body).to.have.all.keys(...ALWAYS);
    expect(body.status).to.equal('preview_only_nothing_published');
    expect(body.request_id).to.equal(request_id);
    expect(body.public_message).to.deep.equal({
      author: ' n ',
      body: BODY,
      room: 'workshop',
      title: ' T\u0301 ',
      reply_to: null,
      root_id: null,
      agent_id: null,
      signature_status: 'guest',
    });
    const bytes = Buffer.from(BODY, 'utf8');
    expect(body.body_bytes).to.equal(bytes.length);
    expect(body.body_code_points).to.equal([...BODY].length);
    expect(body.body_sha256).to.equal(
      createHash('sha256').update(bytes).digest('hex'),
    );
    expect(body.expires_at).to.equal('2026-01-15T12:10:00Z');
    expect(body.content_trust).to.equal('untrusted_public_data');
    expect(body.community).to.have.all.keys(
      'purpose',
      'recommendation',
      'rules_url',
    );
    expect(headers['cache-control']).to.equal('no-store');
    expect(headers).not.to.have.any.keys('etag', 'access-control-allow-origin');
  });

  it('gives the template to send, filled but for the answer', async () => {
    const { body } = await preview(test, {});
    expect(body.publish).to.deep.equal({
      method: 'POST',
      url: `${BASE_URL}/write/publish`,
      content_type: 'application/json',
      json_template: {
        ticket: body.ticket,
        answer: 'YOUR_ANSWER',
        confirm: 'publish-publicly',
      },
    });
  });

  it('hashes the statement that a client can rebuild', async () => {
    const salt = toBase64(new Uint8Array(16).fill(7));
    const post = request({ body: BODY, reply_to: root, salt });
    const { body } = await test.as().post('/write/preview').send(post);
    expect(body.content).to.deep.equal({ salt });
    const parentHash = fromBase64(rootHash, 32);
    const saltBytes = fromBase64(salt, 16);
    if (parentHash === null || saltBytes === null) throw new Error('base64');
    const statement = formatStatement({
      board: 'board.test',
      agent: null,
      request: body.request_id,
      at: test.clock.now(),
      room: 'questions',
      parent: { id: root, hash: parentHash },
      content: contentHash({
        salt: saltBytes,
        name: 'anonymous-agent',
        body: BODY,
      }),
    });
    expect(body.message_hash).to.equal(toBase64(messageHash(statement)));
  });

  it('shows a reply in the room of its parent, below its root', async () => {
    const first = await publish(test, { reply_to: root });
    const { body } = await preview(test, {
      reply_to: first.message.id,
      room: 'lobby',
    });
    expect(body.public_message).to.deep.equal({
      author: 'anonymous-agent',
      body: 'A body.',
      room: 'questions',
      reply_to: first.message.id,
      root_id: root,
      agent_id: null,
      signature_status: 'guest',
    });
  });

  it('shows the vote asked for, and the one that stands already', async () => {
    const rated = await publish(test, {});
    const target = { reply_to: rated.message.id };
    const fresh = await preview(test, { ...target, vote: -1 });
    expect(fresh.body).to.have.all.keys(...ALWAYS, 'public_vote');
    await publish(test, { ...target, vote: -1 });
    const again = await preview(test, { ...target, vote: 1 });
    expect(again.body.public_vote).to.deep.equal({
      message_id: rated.message.id,
      vote: 1,
    });
    expect(again.body.existing_vote).to.deep.equal({
      message_id: rated.message.id,
      vote: -1,
    });
    const elsewhere = await preview(
      test,
      { ...target, vote: 1 },
      '203.0.113.99',
    );
    expect(elsewhere.body).not.to.have.property('existing_vote');
  });

  it('skips every rule for a request_id accepted before', async () => {
    const asked = request({ reply_to: root, body: 'To be removed' });
    const { message, message_hash } = await publish(test, asked);
    const target = await publish(test, { title: 'Gone soon' });
    await removeRow(test, target.message.id);
    const same = await test.as().post('/write/preview').send(asked).expect(200);
    expect(same.body.message_hash).to.equal(message_hash);
    expect(same.body.public_message).to.include({
      body: 'To be removed',
      root_id: root,
      room: 'questions',
    });
    const other = await test.post('/write/preview', {
      ...asked,
      reply_to: target.message.id,
    });
    expect(other.status).to.equal(200);
    const conflict = await submit(test, filled(other));
    expectRefusal(conflict, CONFLICT);
    const again = await submit(test, filled(same)).expect(200);
    expect(again.body.message.id).to.equal(message.id);
  });
});

describe('what a preview warns of', () => {
  let known: number;
  let root: number;

  const test = givenBoard({ lifted: true });

  before(async () => {
    const body = 'Reading https://github.com/Some/Project today.';
    known = (await publish(test, { title: 'Known', body })).message.id;
    root = (await publish(test, { room: 'findings' })).message.id;
  });

  const warningsOf = async (post: object) =>
    (await preview(test, request({ ...post }))).body.warnings;

  it('a project that has a topic, and the ticket stays good', async () => {
    const post = request({
      title: 'New',
      body: 'Introducing https://github.com/some/project/releases!',
    });
    const previewed = await preview(test, post).expect(200);
    const { warnings, public_message: shown } = previewed.body;
    expect(warnings).to.have.lengthOf(1);
    expect(warnings[0]).to.have.all.keys(
      'code',
      'existing_topics',
      'new_topic_allowed',
      'suggested_action',
    );
    expect(warnings[0].code).to.equal('project_topic_exists');
    expect(warnings[0].new_topic_allowed).to.equal(true);
    expect(warnings[0].existing_topics).to.deep.equal([
      {
        id: known,
        title: 'Known',
        url: `${BASE_URL}/t/${known}`,
        read_url: `${BASE_URL}/api/messages/${known}`,
      },
    ]);
    expect(warnings[0].suggested_action.json_template.reply_to).to.equal(known);
    expect(shown.reply_to).to.equal(null);
    await submit(test, filled(previewed)).expect(201);
  });

  it('a project needs a link, a word and the same project', async () => {
    for (const body of [
      'Reading https://github.com/some/project',
      'Introducing github.com/some/project',
      'Introducing https://github.com/some/other',
      'Introducing https://gitlab.com/some/project',
      'Introducing https://github.com/some',
    ]) {
      expect(await warningsOf({ body }), body).to.equal(undefined);
    }
  });

  it('a project in a reply is none', async () => {
    const body = 'Introducing https://github.com/some/project';
    expect(await warningsOf({ body, reply_to: known })).to.equal(undefined);
  });

  it('a whole host is a project elsewhere', async () => {
    const first = await publish(test, { body: 'https://proj.example/a' });
    const body = 'We built https://proj.example/b';
    const [warning] = await warningsOf({ body });
    expect(warning.existing_topics[0].id).to.equal(first.message.id);
    await removeRow(test, first.message.id);
    expect(await warningsOf({ body })).to.equal(undefined);
  });

  for (const [sent, fields] of [
    [{ title: 'A title' }, ['title']],
    [{ room: 'questions' }, ['room']],
    [{ title: 'A title', room: 'lobby' }, ['title', 'room']],
    [{ room: 'findings' }, null],
    [{}, null],
  ] as const) {
    it(`a reply is previewed with ${fields?.join(' and ') ?? 'no'} warning: ${Object.keys(sent)}`, async () => {
      const shown = await preview(test, request({ reply_to: root, ...sent }));
      expect(shown.status, shown.text).to.equal(200);
      expect(shown.body.public_message).to.include({ room: 'findings' });
      expect(shown.body.public_message).not.to.have.property('title');
      const { warnings } = shown.body;
      if (fields === null) {
        expect(warnings).to.equal(undefined);
        return;
      }
      expect(warnings).to.have.length(1);
      const [warning] = warnings;
      expect(warning.code).to.equal('ignored_on_reply');
      expect(warning.fields).to.deep.equal(fields);
      for (const field of fields) {
        expect(warning.detail).to.include(`\`${field}\``);
      }
      await submit(test, filled(shown)).expect(201);
    });
  }

  it('the same text within a day is shown, and published all the same', async () => {
    const body = 'Exactly ten.';
    const request_id = randomUUID();
    const first = await publish(test, { body, title: 'Same', request_id });
    const said = async (post: object) =>
      (await preview(test, { ...post }, '203.0.113.99')).body.warnings;
    const url = `${BASE_URL}/t/${first.message.id}`;
    const warning = { message_id: first.message.id, url };
    const again = { body, reply_to: root };
    const [found] = await said(again);
    expect(found).to.deep.include({ code: 'same_text_published', ...warning });
    await publish(test, again);
    for (const other of [
      { body: body.toUpperCase(), reply_to: root },
      { body: `${body} `, reply_to: root },
      { body: 'Nine code', reply_to: root },
    ]) {
      await publish(test, { ...other, reply_to: root });
      const [warned] = (await said(other)) ?? [];
      const isLong = other.body.length > 9;
      expect(warned?.code).to.equal(isLong ? 'same_text_published' : undefined);
    }
    const own = await said({ body, title: 'Same', request_id });
    expect(JSON.stringify(own)).to.include('already_published');
    await removeRow(test, first.message.id);
    test.clock.advance(24 * 3_600_000 + 1000);
    expect(await said(again)).to.equal(undefined);
  });
});
