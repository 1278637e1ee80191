import { readdir, readFile } from 'node:fs/promises';
import { expect } from 'chai';
import vectors from '../../../docs/spec/mesh-vectors.json' with {
  type: 'json',
};
import { contentHash } from '../../../protocol/content.js';
import { formatVkey } from '../../../protocol/vkey.js';
import {
  advance,
  freshPair,
  newAgent,
  nextEvent,
  record,
  signEvent,
} from '../../support/agent.js';
import { decideTo } from '../../support/decide.js';
import { publish } from '../../support/post.js';
import { randomBytes, randomUUID } from '../../support/random.js';
import {
  codeOf,
  type HandIn,
  handIn,
  parentOf,
  relayBody,
  send,
} from './hand-in.js';
import { A, B, givenLinked } from './linked-boards.js';

const HOUR = 3_600_000;

describe('POST /api/mesh/relay', () => {
  const scene = givenLinked();
  const code = (it: HandIn, by = scene.agent) => codeOf(scene, by, it);

  it('publishes with leaf and index', async () => {
    const answer = await handIn(scene, scene.agent);
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
    const known = await scene.a.as().get(`/api/keys/${scene.agent.id}`);
    expect(known.body.events).to.deep.equal(scene.agent.notes);
  });

  it('answers exact retries with the receipt', async () => {
    const body = relayBody(scene, scene.agent);
    const first = await send(scene.a, body);
    const again = await send(scene.a, body);
    expect(again.status).to.equal(200);
    expect(again.body).to.deep.equal({
      ...first.body,
      status: 'already_published',
    });
  });

  it('takes the word of active peers with trust relay only', async () => {
    for (const trust of ['witness', 'proofs', 'mirror'] as const) {
      await scene.set(scene.a, { trust });
      expect(await code({})).to.equal('403 peer_not_allowed');
    }
    for (const status of ['paused', 'quarantined', 'blocked'] as const) {
      await scene.set(scene.a, { status, trust: 'relay' });
      expect(await code({})).to.equal('403 peer_not_allowed');
    }
  });

  it('refuses a forged from, another node key and a bad signature', async () => {
    const { a, b } = scene;
    const from = (name: string): HandIn => ({ relay: { from: name } });
    expect(await code(from('board-c.example'))).to.equal(
      '403 peer_not_allowed',
    );
    expect(await code(from(A))).to.equal('403 peer_not_allowed');
    const itself = { ...from(A), node: a.board.context.keys.node };
    expect(await code(itself)).to.equal('403 peer_not_allowed');
    const { node } = b.board.context.keys;
    const forged = { vkey: node.vkey, pair: freshPair() };
    expect(await code({ node: forged })).to.equal('403 signature_invalid');
    const { keys } = a.board.context;
    expect(await code({ node: keys.node })).to.equal('403 signature_invalid');
    const body = relayBody(scene, scene.agent);
    const other = relayBody(scene, scene.agent);
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
    const now = scene.clock.now();
    expect(await code({ relay: { at: now - 120_000 } })).to.match(/^201/);
    expect(await code({ relay: { at: now + 120_000 } })).to.match(/^201/);
    for (const at of [now - 120_001, now + 120_001, 0]) {
      expect(await code({ relay: { at } })).to.equal('400 stale_statement');
    }
    const body = relayBody(scene, scene.agent);
    expect((await send(scene.a, body)).status).to.equal(201);
    scene.clock.advance(120_001);
    const replayed = await send(scene.a, body);
    expect(replayed.body).to.include({
      error: 'stale_statement',
      field: 'relay_note',
    });
  });

  it('refuses what is for another board', async () => {
    // A third, and the one that sends: no post goes on, or back.
    for (const board of ['board-c.example', B]) {
      const sent = await code({ relay: { to: board } });
      expect(sent, board).to.equal('400 wrong_board');
      const signed = await code({ statement: { board } });
      expect(signed, board).to.equal('400 wrong_board');
    }
    // What A would take is nothing to hand in at B.
    const forA = await send(scene.b, relayBody(scene, scene.agent));
    expect(forA.status, forA.text).to.be.oneOf([400, 403]);
  });

  it('takes statements from 24 hours back to 120 s ahead', async () => {
    const now = scene.clock.now();
    const dated = (at: number) => code({ statement: { at } });
    expect(await dated(now - 24 * HOUR)).to.equal('201 published');
    expect(await dated(now + 120_000)).to.equal('201 published');
    expect(await dated(now - 24 * HOUR - 1)).to.equal('400 stale_statement');
    expect(await dated(now + 120_001)).to.equal('400 stale_statement');
  });

  it('refuses votes, other content and titles of replies', async () => {
    const root = await publish(scene.a);
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
    const poll = { question: 'Q?', options: ['a', 'b'], duration_hours: 24 };
    const words: [HandIn['content'] & object, string][] = [
      [{ body: ' ' }, '400 invalid_input body'],
      [{ body: 'x'.repeat(4001) }, '422 too_long body'],
      [{ name: 'x'.repeat(49) }, '422 too_long name'],
      [{ title: '\u00a0' }, '400 invalid_input title'],
      [
        { poll: { ...poll, duration_hours: 23 } },
        '400 invalid_input poll.duration_hours',
      ],
      [
        { poll: { ...poll, options: ['a', 'a'] } },
        '400 invalid_input poll.options',
      ],
    ];
    for (const [content, refusal] of words) {
      const { status, body } = await handIn(scene, scene.agent, { content });
      const [answer, error, field] = refusal.split(' ');
      expect(status).to.equal(Number(answer));
      expect(body).to.include({ error, field: `envelope.content.${field}` });
    }
  });

  it('checks parent and room', async () => {
    const { a } = scene;
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

  it('refuses bodies over 64 KiB', async () => {
    const big = { relay_note: 'x'.repeat(65_536), envelope: {} };
    const { body } = await send(scene.a, big);
    expect(body.error).to.equal('request_too_large');
  });

  it('has a test of each refusal that mesh.md prints for it', async () => {
    const spec = await readFile('docs/spec/mesh.md', 'utf8');
    const [table = ''] = spec.slice(spec.indexOf('| Order |')).split('\n\n');
    const refusals = table.split('\n').map((row) => row.split(' | ').at(-1));
    const codes = refusals.join().match(/(?<=`)[a-z]+_\w+/g) ?? [];
    const files = await readdir('test/mesh/relay');
    const read = files.map((name) => readFile(`test/mesh/relay/${name}`));
    const tests = (await Promise.all(read)).join();
    expect(codes).to.have.length.above(15);
    expect(codes.filter((code) => !tests.includes(code))).to.eql([]);
  });

  it('publishes the relay of the vectors, byte for byte', async () => {
    const { a, clock } = scene;
    const { vkey } = vectors.board_keys.board_b.node;
    const own = formatVkey(scene.b.board.context.keys.node.vkey);
    await scene.set(a, { nodeVkey: vkey });
    const now = clock.now();
    clock.set(1_767_229_299_600);
    try {
      const answer = await send(a, vectors.relay);
      expect(answer.status, answer.text).to.equal(201);
      expect(answer.body.leaf).to.include(vectors.relay.envelope.note);
    } finally {
      clock.set(now);
      await scene.set(a, { nodeVkey: own });
    }
  });

  it('needs no keys that are known', async () => {
    expect(await code({})).to.equal('201 published');
    expect(await code({ keys: [] })).to.equal('201 published');
    expect(await code({ keys: [] }, newAgent())).to.equal('403 key_unknown');
    const other = newAgent();
    expect(await code({ keys: other.notes }, newAgent())).to.equal(
      '403 key_unknown',
    );
  });

  it('merges key events with what it knows, which wins', async () => {
    const one = newAgent();
    expect(await code({}, one)).to.equal('201 published');
    await record(scene.a, advance(one, 'rotate'));
    // B has not heard of the rotation: it sends the old key's post.
    const stale = { ...one, events: one.events.slice(0, 1) };
    expect(await code({ keys: one.notes.slice(0, 1) }, stale)).to.equal(
      '403 key_superseded',
    );
    expect(await code({}, one)).to.equal('201 published');
    const gone = newAgent();
    await record(scene.a, gone.notes[0] ?? '');
    const alive = { ...gone, events: [...gone.events] };
    await record(scene.a, advance(gone, 'revoke'));
    expect(await code({ keys: alive.notes.slice(0, 1) }, alive)).to.equal(
      '403 key_revoked',
    );
  });

  it('records a conflict that comes along, and refuses its post', async () => {
    const two = newAgent();
    const rotation = nextEvent(two, 'rotate');
    const rival = nextEvent(two, 'revoke');
    await record(scene.a, two.notes[0] ?? '');
    await record(scene.a, signEvent(two, rotation));
    const rivals = [two.notes[0] ?? '', signEvent(two, rival)];
    expect(await code({ keys: rivals }, two)).to.equal('403 key_conflicted');
    const known = await scene.a.as().get(`/api/keys/${two.id}`);
    expect(known.body.status).to.equal('conflicted');
    expect(known.body.events).to.have.length(3);
  });

  it('leaves keys registered whose post was refused', async () => {
    const late = newAgent();
    const root = await publish(scene.a, { body: 'Black lives matter.' });
    const content = { body: 'black LIVES matter' };
    const answer = await handIn(scene, late, { content });
    expect(answer.status, answer.text).to.equal(409);
    expect(answer.body).to.include({ error: 'funnel_thread_changed' });
    expect(answer.body.routing).to.include({
      target_id: root.message.id,
      parent_hash: root.message_hash,
    });
    const known = await scene.a.as().get(`/api/keys/${late.id}`);
    expect(known.status).to.equal(200);
  });
});
