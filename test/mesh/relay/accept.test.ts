import { expect } from 'chai';
import { contentHash } from '../../../protocol/content.js';
import { type Agent, freshPair, newAgent } from '../../support/agent.js';
import { decideTo } from '../../support/decide.js';
import { publish } from '../../support/post.js';
import { randomBytes, randomUUID } from '../../support/random.js';
import vectors from '../../vectors/mesh-vectors.json' with { type: 'json' };
import {
  codeOf,
  type HandIn,
  handIn,
  parentOf,
  relayBody,
  send,
} from './hand-in.js';
import { A, B, type Linked, linkedBoards } from './linked-boards.js';

const HOUR = 3_600_000;

describe('POST /api/mesh/relay', () => {
  let boards: Linked;
  let agent: Agent;

  before(async () => {
    boards = await linkedBoards();
    agent = newAgent();
  });

  after(() => boards.stop());

  const code = (it: HandIn, by = agent) => codeOf(boards, by, it);

  it('publishes with leaf and index', async () => {
    const answer = await handIn(boards, agent);
    expect(answer.status, answer.text).to.equal(201);
    const { message, log, leaf, index } = answer.body;
    expect(index).to.equal(log.index);
    expect(leaf).to.include(`\nid ${message.id}\n`);
    expect(leaf).to.include(`\nvia ${B}\n`);
    // The limits are those of the author's network, not of the node that asks.
    expect(answer.headers).not.to.have.any.keys(
      'ratelimit',
      'ratelimit-policy',
    );
    const known = await boards.a.as().get(`/api/keys/${agent.id}`);
    expect(known.body.events).to.deep.equal(agent.notes);
  });

  it('answers exact retries with the receipt', async () => {
    const body = relayBody(boards, agent);
    const first = await send(boards.a, body);
    const again = await send(boards.a, body);
    expect(again.status).to.equal(200);
    expect(again.body).to.deep.equal({
      ...first.body,
      status: 'already_published',
    });
  });

  it('takes the word of active peers with trust relay only', async () => {
    const { writes } = boards.a.board.context;
    const set = (status: string, trust: string) =>
      writes.query('UPDATE peer SET status = $1, trust = $2 WHERE name = $3', [
        status,
        trust,
        B,
      ]);
    try {
      for (const trust of ['witness', 'proofs', 'mirror']) {
        await set('active', trust);
        expect(await code({})).to.equal('403 peer_not_allowed');
      }
      for (const status of ['paused', 'quarantined', 'blocked']) {
        await set(status, 'relay');
        expect(await code({})).to.equal('403 peer_not_allowed');
      }
    } finally {
      await set('active', 'relay');
    }
  });

  it('refuses a forged from, another node key and a bad signature', async () => {
    const { a, b } = boards;
    const from = (name: string): HandIn => ({ relay: { from: name } });
    expect(await code(from('board-c.example'))).to.equal(
      '403 peer_not_allowed',
    );
    expect(await code(from(A))).to.equal('403 peer_not_allowed');
    const { node } = b.board.context.keys;
    const forged = { vkey: node.vkey, pair: freshPair() };
    expect(await code({ node: forged })).to.equal('403 signature_invalid');
    const { keys } = a.board.context;
    expect(await code({ node: keys.node })).to.equal('403 signature_invalid');
    const body = relayBody(boards, agent);
    const other = relayBody(boards, agent);
    const mixed = { ...body, relay_note: other.relay_note };
    const answer = await send(a, mixed);
    expect(answer.body).to.include({
      error: 'bad_statement',
      field: 'relay_note',
    });
    const { envelope } = body;
    for (const [blank, field] of [
      [{ ...body, relay_note: '\n\n' }, 'relay_note'],
      [{ ...body, envelope: { ...envelope, note: '' } }, 'envelope.note'],
      [{ ...body, envelope: { ...envelope, keys: [' '] } }, 'envelope.keys'],
    ] as const) {
      const { status, body: refusal } = await send(a, blank);
      expect(status).to.equal(400);
      expect(refusal).to.include({ error: 'invalid_input', field });
    }
    const signedTwice = body.relay_note + body.relay_note.split('\n\n')[1];
    expect(
      (await send(a, { ...body, relay_note: signedTwice })).status,
    ).to.equal(400);
  });

  it('refuses a relay note of another time, and replays after 120 s', async () => {
    const now = boards.clock.now();
    expect(await code({ relay: { at: now - 120_000 } })).to.match(/^201/);
    expect(await code({ relay: { at: now + 120_000 } })).to.match(/^201/);
    for (const at of [now - 120_001, now + 120_001, 0]) {
      expect(await code({ relay: { at } })).to.equal('400 stale_statement');
    }
    const body = relayBody(boards, agent);
    expect((await send(boards.a, body)).status).to.equal(201);
    boards.clock.advance(120_001);
    const replayed = await send(boards.a, body);
    expect(replayed.body).to.include({
      error: 'stale_statement',
      field: 'relay_note',
    });
  });

  it('refuses what is for another board', async () => {
    const other = 'board-c.example';
    expect(await code({ relay: { to: other } })).to.equal('400 wrong_board');
    expect(await code({ statement: { board: other } })).to.equal(
      '400 wrong_board',
    );
  });

  it('takes statements from 24 hours back to 120 s ahead', async () => {
    const now = boards.clock.now();
    const dated = (at: number) => code({ statement: { at } });
    expect(await dated(now - 24 * HOUR)).to.equal('201 published');
    expect(await dated(now + 120_000)).to.equal('201 published');
    expect(await dated(now - 24 * HOUR - 1)).to.equal('400 stale_statement');
    expect(await dated(now + 120_001)).to.equal('400 stale_statement');
  });

  it('refuses votes, other content and titles of replies', async () => {
    const root = await publish(boards.a);
    const parent = parentOf(root);
    expect(await code({ statement: { parent, vote: 1 } })).to.equal(
      '422 vote_not_portable',
    );
    const hashed = { salt: randomBytes(16), name: 'x', body: 'y' };
    expect(await code({ hashed })).to.equal('400 bad_content');
    const titled = { title: 'On a reply' };
    expect(await code({ statement: { parent }, content: titled })).to.equal(
      '400 bad_content',
    );
    expect(await code({ statement: { parent } })).to.equal('201 published');
  });

  it('keeps the rules of the words', async () => {
    const words = async (content: HandIn['content']) => {
      const answer = await handIn(boards, agent, content ? { content } : {});
      return `${answer.status} ${answer.body.error} ${answer.body.field}`;
    };
    const poll = { question: 'Q?', options: ['a', 'b'], duration_hours: 24 };
    const at = 'envelope.content';
    expect(await words({ body: ' ' })).to.equal(`400 invalid_input ${at}.body`);
    expect(await words({ body: 'x'.repeat(4001) })).to.equal(
      `422 too_long ${at}.body`,
    );
    expect(await words({ name: 'x'.repeat(49) })).to.equal(
      `422 too_long ${at}.name`,
    );
    expect(await words({ title: '\u00a0' })).to.equal(
      `400 invalid_input ${at}.title`,
    );
    expect(await words({ poll: { ...poll, duration_hours: 23 } })).to.equal(
      `400 invalid_input ${at}.poll.duration_hours`,
    );
    expect(await words({ poll: { ...poll, options: ['a', 'a'] } })).to.equal(
      `400 invalid_input ${at}.poll.options`,
    );
  });

  it('checks parent and room', async () => {
    const { a } = boards;
    const root = await publish(a, { room: 'findings' });
    const parent = parentOf(root);
    const reply = (statement: HandIn['statement']) =>
      code(statement ? { statement } : {});
    expect(await reply({ parent, room: 'lobby' })).to.equal(
      '409 parent_mismatch',
    );
    const hash = randomBytes(32);
    expect(
      await reply({ parent: { id: parent.id, hash }, room: 'findings' }),
    ).to.equal('409 parent_mismatch');
    expect(await reply({ parent: { id: 4242, hash } })).to.equal(
      '400 invalid_input',
    );
    expect(await reply({ parent, room: 'findings' })).to.equal('201 published');
    await decideTo.remove(a, parent.id);
    expect(await reply({ parent, room: 'findings' })).to.equal(
      '400 invalid_input',
    );
  });

  it('keeps one message per request_id, also against local posts', async () => {
    const request = randomUUID();
    const content = { salt: randomBytes(16), name: 'scout', body: 'Same.' };
    const titled = { ...content, title: 'Same' };
    const it: HandIn = {
      content: titled,
      statement: { request, content: contentHash(titled) },
    };
    expect(await code(it)).to.equal('201 published');
    const salted = { ...titled, salt: randomBytes(16) };
    const again: HandIn = {
      content: salted,
      statement: { request, content: contentHash(salted) },
    };
    expect(await code(again)).to.equal('200 already_published');
    expect(await code({ statement: { request } })).to.equal(
      '409 request_id_conflict',
    );
  });

  it('refuses bodies over 64 KiB and other forms of body', async () => {
    const { a } = boards;
    const big = { relay_note: 'x'.repeat(65_536), envelope: {} };
    expect((await send(a, big)).body.error).to.equal('request_too_large');
    const get = await a.as().get('/api/mesh/relay');
    expect(get.status).to.equal(405);
    const unknown = { ...relayBody(boards, agent), extra: 1 };
    expect((await send(a, unknown)).body).to.include({
      error: 'unknown_field',
      field: 'extra',
    });
    const crossSite = await a
      .as()
      .post('/api/mesh/relay')
      .set('Origin', 'https://evil.example')
      .send(relayBody(boards, agent));
    expect(crossSite.status).to.equal(403);
  });

  it('publishes the relay of the vectors, byte for byte', async () => {
    const { a, clock } = boards;
    const keys = vectors.board_keys.board_b;
    const { writes } = a.board.context;
    const [kept] = await writes.query<{ vkey: string }>(
      'SELECT node_vkey AS vkey FROM peer WHERE name = $1',
      [B],
    );
    const set = (vkey: string) =>
      writes.query('UPDATE peer SET node_vkey = $1 WHERE name = $2', [vkey, B]);
    await set(keys.node.vkey);
    const now = clock.now();
    clock.set(1_767_229_299_600);
    try {
      const answer = await send(a, vectors.relay);
      expect(answer.status, answer.text).to.equal(201);
      expect(answer.body.leaf).to.include(vectors.relay.envelope.note);
    } finally {
      clock.set(now);
      await set(kept?.vkey ?? '');
    }
  });
});
