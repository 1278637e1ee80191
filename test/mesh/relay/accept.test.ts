import { readFile } from 'node:fs/promises';
import vectors from '../../../docs/spec/mesh-vectors.json' with {
  type: 'json',
};
import { contentHash } from '../../../protocol/content.js';
import type { Signer } from '../../../protocol/note.js';
import type { Statement } from '../../../protocol/statement.js';
import { formatVkey } from '../../../protocol/vkey.js';
import { Message } from '../../../server/db/entities/message.js';
import type { Peer } from '../../../server/db/entities/peer.js';
import type { LimitName } from '../../../server/limits.js';
import {
  advance,
  freshPair,
  newAgent,
  nextEvent,
  record,
  signEvent,
} from '../../support/agent.js';
import { decideTo } from '../../support/decide.js';
import { withLimits } from '../../support/limits.js';
import { publish } from '../../support/post.js';
import { randomBytes, randomUUID } from '../../support/random.js';
import { rows } from '../../support/rows.js';
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

type Scene = ReturnType<typeof givenLinked>;
type Body = ReturnType<typeof relayBody>;
type Lie = (scene: Scene) => unknown;

const by =
  (it: HandIn): Lie =>
  (scene) =>
    relayBody(scene, scene.agent, it);
const spoilt =
  (change: (body: Body, scene: Scene) => object): Lie =>
  (scene) =>
    change(relayBody(scene, scene.agent), scene);
const enveloped = (part: object): Lie =>
  spoilt((body) => ({ ...body, envelope: { ...body.envelope, ...part } }));
const among =
  (peer: Partial<Peer>): Lie =>
  async (scene) => {
    await scene.set(scene.a, peer);
    return by({})(scene);
  };
const signedBy =
  (signer: (scene: Scene) => Signer): Lie =>
  (scene) =>
    by({ node: signer(scene) })(scene);
const dated =
  (what: 'relay' | 'statement', ms: number): Lie =>
  (scene) =>
    by({ [what]: { at: scene.clock.now() + ms } })(scene);
const reply =
  (change: (parent: Parent) => Partial<Statement>): Lie =>
  async (scene) =>
    by({ statement: change(parentOf(await publish(scene.a, IN_FINDINGS))) })(
      scene,
    );
const IN_FINDINGS = { room: 'findings' as const };
type Parent = ReturnType<typeof parentOf>;
/** A publication first, and what is handed in after it. */
const after =
  (first: HandIn, then: HandIn): Lie =>
  async (scene) => {
    expect(await codeOf(scene, scene.agent, first)).to.match(/^201/);
    return by(then)(scene);
  };
const limited =
  (limit: LimitName): Lie =>
  (scene) => {
    Object.assign(scene.a.board.context.limits, { [limit]: 0 });
    return by({})(scene);
  };
let funnel: Awaited<ReturnType<typeof publish>> | undefined;
const funnelTopic = async ({ a }: Scene) => {
  funnel ??= await publish(a, { body: 'Black lives matter.' });
  return funnel;
};
const twice = (note: string) => note + note.split('\n\n')[1];
const poll = { question: 'Q?', options: ['a', 'b'], duration_hours: 24 };
const hashed = { salt: randomBytes(16), name: 'x', body: 'y' };
const request = randomUUID();
const series = (n: number) => ({ content: { title: `Daily digest: ${n}` } });

/** Long, as it is one table. By order of mesh.md §B10.2, answer and field: what breaks one rule. */
const LIES: Record<string, Lie> = {
  '1 413 request_too_large: over 64 KiB': () => ({
    ...{ relay_note: 'x'.repeat(65_536), envelope: {} },
  }),
  '1 400 invalid_json: half a body': () => '{"relay_note":',
  '1 400 invalid_input relay_note: a blank note': spoilt((body) => ({
    ...{ ...body, relay_note: '\n\n' },
  })),
  '1 400 invalid_input envelope.note: an empty note': enveloped({ note: '' }),
  '1 400 invalid_input envelope.keys: a blank key': enveloped({ keys: [' '] }),
  '2 400 bad_note relay_note: text alone': spoilt((body) => ({
    ...{ ...body, relay_note: body.relay_note.split('\n\n')[0] },
  })),
  '2 400 bad_statement relay_note: another line': spoilt((body) => ({
    ...{ ...body, relay_note: body.relay_note.replace('from ', 'of ') },
  })),
  '3 403 peer_not_allowed: a witness': among({ trust: 'witness' }),
  '3 403 peer_not_allowed: with proofs alone': among({ trust: 'proofs' }),
  '3 403 peer_not_allowed: a mirror': among({ trust: 'mirror' }),
  '3 403 peer_not_allowed: paused': among({ status: 'paused' }),
  '3 403 peer_not_allowed: quarantined': among({ status: 'quarantined' }),
  '3 403 peer_not_allowed: blocked': among({ status: 'blocked' }),
  '3 403 peer_not_allowed: a stranger': by({
    relay: { from: 'board-c.example' },
  }),
  '3 403 peer_not_allowed: under our name': by({ relay: { from: A } }),
  '3 403 peer_not_allowed: under our name and key': ({ a, ...scene }) =>
    by({ relay: { from: A }, node: a.board.context.keys.node })({
      ...{ ...scene, a },
    }),
  '4 403 signature_invalid: of another pair': signedBy(({ b }) => ({
    vkey: b.board.context.keys.node.vkey,
    pair: freshPair(),
  })),
  '4 403 signature_invalid: of our key': signedBy(
    ({ a }) => a.board.context.keys.node,
  ),
  '4 400 bad_note: signed twice': spoilt((body) => ({
    ...{ ...body, relay_note: twice(body.relay_note) },
  })),
  '5 400 wrong_board: for a third board': by({
    relay: { to: 'board-c.example' },
  }),
  '5 400 wrong_board: for the node itself': by({ relay: { to: B } }),
  '5 400 stale_statement relay_note: too late': dated('relay', -120_001),
  '5 400 stale_statement relay_note: too early': dated('relay', 120_001),
  '5 400 stale_statement relay_note: of no time': by({ relay: { at: 0 } }),
  '6 429 rate_limited: by its network': limited(
    'publish_attempts_per_network_minute',
  ),
  '6 429 rate_limited: by its peer': limited('mesh_relay_per_peer_minute'),
  '7 400 bad_note: an envelope signed twice': spoilt((body) => ({
    ...body,
    envelope: { ...body.envelope, note: twice(String(body.envelope.note)) },
  })),
  '7 400 bad_statement relay_note: a note of another envelope': spoilt(
    (body, scene) => ({
      ...{ ...body, relay_note: relayBody(scene, scene.agent).relay_note },
    }),
  ),
  '7 400 wrong_board: signed for a third board': by({
    statement: { board: 'board-c.example' },
  }),
  '7 400 wrong_board: signed for the node': by({ statement: { board: B } }),
  '8 422 vote_not_portable: a vote': reply((parent) => ({ parent, vote: 1 })),
  '9 400 bad_content: another text': by({ hashed }),
  '9 400 bad_content: a title on a reply': async (scene) => {
    const parent = parentOf(await publish(scene.a));
    const titled = { title: 'On a reply' };
    return by({ statement: { parent }, content: titled })(scene);
  },
  '9 400 poll_not_allowed_on_reply: a poll on a reply': async (scene) => {
    const parent = parentOf(await publish(scene.a));
    return by({ statement: { parent }, content: { poll } })(scene);
  },
  '9 400 invalid_input envelope.content.body: blank': by({
    content: { body: ' ' },
  }),
  '9 422 too_long envelope.content.body: long': by({
    content: { body: 'x'.repeat(4001) },
  }),
  '9 422 too_long envelope.content.name: long': by({
    content: { name: 'x'.repeat(49) },
  }),
  '9 400 invalid_input envelope.content.title: blank': by({
    content: { title: '\u00a0' },
  }),
  '9 400 invalid_input envelope.content.poll.duration_hours: short': by({
    content: { poll: { ...poll, duration_hours: 23 } },
  }),
  '9 400 invalid_input envelope.content.poll.options: alike': by({
    content: { poll: { ...poll, options: ['a', 'a'] } },
  }),
  '10 409 request_id_conflict: other content': after(
    { statement: { request } },
    { statement: { request }, content: { body: 'Another.' } },
  ),
  '11 400 stale_statement: too old': dated('statement', -24 * HOUR - 1),
  '11 400 stale_statement: too early': dated('statement', 120_001),
  '12 403 key_unknown: without keys': (scene) =>
    relayBody(scene, newAgent(), { keys: [] }),
  '12 403 key_unknown: with keys of another': (scene) =>
    relayBody(scene, newAgent(), { keys: newAgent().notes }),
  '13 409 parent_mismatch: another room': reply((parent) => ({
    ...{ parent, room: 'lobby' },
  })),
  '13 409 parent_mismatch: another hash': reply(({ id }) => ({
    ...{ ...IN_FINDINGS, parent: { id, hash: randomBytes(32) } },
  })),
  '13 400 invalid_input: no such parent': reply(({ hash }) => ({
    parent: { id: 4242, hash },
  })),
  '13 400 invalid_input: a removed parent': async (scene) => {
    const parent = parentOf(await publish(scene.a, IN_FINDINGS));
    await decideTo.remove(scene.a, parent.id);
    return by({ statement: { ...IN_FINDINGS, parent } })(scene);
  },
  '14 409 funnel_thread_changed: what has its topic': async (scene) => {
    await funnelTopic(scene);
    return by({ content: { body: 'black LIVES matter' } })(scene);
  },
  '14 409 series_requires_reply: a third of its kind': async (scene) => {
    for (const nth of [1, 2]) await handIn(scene, newAgent(), series(nth));
    return by(series(3))(scene);
  },
  '14 429 rate_limited: writes': limited('writes_per_board_minute'),
};

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

  for (const [title, lie] of Object.entries(LIES)) {
    it(`refuses by order ${title}`, async () => {
      const [, status, error, field] = title.split(': ')[0]?.split(' ') ?? [];
      await withLimits(scene.a, {}, async () => {
        const body = await lie(scene);
        const before = await rows(scene.a).countBy(Message, {});
        const answer = await scene.a
          .as('198.51.100.9')
          .post('/api/mesh/relay')
          .set('Content-Type', 'application/json')
          .send(body as object);
        expect(`${answer.status} ${answer.body.error}`).to.equal(
          `${status} ${error}`,
        );
        if (field !== undefined) expect(answer.body.field).to.equal(field);
        expect(await rows(scene.a).countBy(Message, {})).to.equal(before);
      });
    });
  }

  it('has a row for each refusal that mesh.md prints for it', async () => {
    const spec = await readFile('docs/spec/mesh.md', 'utf8');
    const [table = ''] = spec.slice(spec.indexOf('| Order |')).split('\n\n');
    let order = '';
    const printed = table
      .split('\n')
      .slice(2)
      .flatMap((row) => {
        const cells = row.split(' | ');
        order = cells[0]?.replace(/\D/g, '') || order;
        const codes = cells.at(-1)?.match(/(?<=`)[a-z]+_\w+/g) ?? [];
        return codes.map((code) => `${order} ${code}`);
      });
    expect(printed).to.have.length.above(20);
    const told = Object.keys(LIES).map((title) =>
      title.replace(/^(\d+) \d+ (\w+).*/, '$1 $2'),
    );
    expect(told).to.include.members(printed);
  });

  it('takes notes of 120 s around, and statements of 24 hours back', async () => {
    for (const [what, ms] of [
      ['relay', -120_000],
      ['relay', 120_000],
      ['statement', -24 * HOUR],
      ['statement', 120_000],
    ] as const) {
      const at = scene.clock.now() + ms;
      expect(await code({ [what]: { at } })).to.equal('201 published');
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

  it('takes replies, and nothing at the node that was meant for here', async () => {
    const parent = parentOf(await publish(scene.a, IN_FINDINGS));
    const statement = { ...IN_FINDINGS, parent };
    expect(await code({ statement })).to.equal('201 published');
    const forA = await send(scene.b, relayBody(scene, scene.agent));
    expect(forA.status, forA.text).to.be.oneOf([400, 403]);
  });

  it('answers the same content under another salt with its receipt', async () => {
    const salted = () => {
      const content = { salt: randomBytes(16), name: 'scout', body: 'Same.' };
      const titled = { ...content, title: 'Same' };
      const hash = contentHash(titled);
      return { content: titled, statement: { request: same, content: hash } };
    };
    const same = randomUUID();
    expect(await code(salted())).to.equal('201 published');
    expect(await code(salted())).to.equal('200 already_published');
  });

  it('needs no keys that are known', async () => {
    expect(await code({})).to.equal('201 published');
    expect(await code({ keys: [] })).to.equal('201 published');
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
    const root = await funnelTopic(scene);
    const content = { body: 'black LIVES matter' };
    const answer = await handIn(scene, late, { content });
    expect(answer.status, answer.text).to.equal(409);
    expect(answer.body).to.include({ error: 'funnel_thread_changed' });
    expect(answer.body.routing).to.include({
      target_id: root.message.id,
      parent_hash: root.message_hash,
    });
    await scene.a.as().get(`/api/keys/${late.id}`).expect(200);
  });
});
