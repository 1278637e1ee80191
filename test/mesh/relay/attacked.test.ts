import { createServer, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { EntityTarget, ObjectLiteral } from 'typeorm';
import { BudgetSpend } from '../../../server/db/entities/budget.js';
import { Message } from '../../../server/db/entities/message.js';
import { WriteRequest } from '../../../server/db/entities/ticket.js';
import { recordFaults } from '../../faults/report.js';
import { freshPair } from '../../support/agent.js';
import { FULL } from '../../support/full.js';
import { preview, publish } from '../../support/post.js';
import { randomBytes, randomUUID } from '../../support/random.js';
import { rows } from '../../support/rows.js';
import { serving } from '../../support/serving.js';
import { handIn, postVia, relayBody } from './hand-in.js';
import { A, givenLinked, movePeer } from './linked-boards.js';

type Lie = (res: ServerResponse) => void;
const json = (status: number, body: string, more: object = {}): Lie => {
  return (res) => {
    const headers = { 'Content-Type': 'application/json', ...more };
    res.writeHead(status, headers).end(body);
  };
};
const refusal = (status: number, more: object, error = 'bad_note'): Lie =>
  json(status, JSON.stringify({ error, detail: 'No.', ...more }));
const funnel = (routing: unknown): Lie =>
  refusal(409, { routing }, 'funnel_thread_changed');
const HASH = `${'A'.repeat(43)}=`;
const TARGET = { target_id: 1, parent_hash: HASH, phrase: 'x', reason: 'y' };

/** Answers of a board that posts are handed in to, and what the agent is told. */
const LIES: Record<string, [lie: Lie, status: number]> = {
  'nothing at all': [json(201, ''), 502],
  null: [json(200, 'null'), 502],
  'a list': [json(201, '[]'), 502],
  'lists within lists': [json(201, '['.repeat(60_000)), 502],
  'closed lists within lists': [
    json(201, '['.repeat(60_000) + ']'.repeat(60_000)),
    502,
  ],
  'no JSON': [json(201, '{"status":"published"'), 502],
  'a parent of all objects': [json(201, '{"__proto__":{"status":"x"}}'), 502],
  'no text': [json(201, Buffer.alloc(64, 0xff).toString('latin1')), 502],
  'more than there may be': [json(201, 'x'.repeat(300_000)), 202],
  'a bomb': [
    (res) => {
      const bomb = gzipSync(Buffer.alloc(100 * 2 ** 20));
      res.writeHead(201, { 'Content-Encoding': 'gzip' }).end(bomb);
    },
    202,
  ],
  'what is packed twice': [
    (res) => {
      const twice = gzipSync(gzipSync('{}'));
      res.writeHead(201, { 'Content-Encoding': 'gzip, gzip' }).end(twice);
    },
    202,
  ],
  'an unknown packing': [json(201, '{}', { 'Content-Encoding': 'br' }), 202],
  'a line that is cut': [
    (res) => {
      res.writeHead(201, { 'Content-Length': 1000 }).write('{');
      setImmediate(() => res.destroy());
    },
    202,
  ],
  'a redirect': [json(307, '', { Location: 'http://127.0.0.1:1/' }), 202],
  'a redirect to itself': [json(308, '', { Location: '/api/mesh/relay' }), 202],
  'no content': [json(204, ''), 202],
  'a proxy that speaks': [json(502, 'Not here.'), 202],
  'a page of a proxy': [json(404, '<h1>Not here</h1>'), 202],
  'a status of its own': [refusal(599, {}), 202],
  'an error of a thousand letters': [refusal(400, {}, 'e'.repeat(1000)), 202],
  'an error that is a list': [json(400, '{"error":[1],"detail":"x"}'), 202],
  'half a letter': [json(400, '{"error":"\\ud800","detail":"\\u0000"}'), 502],
  'a script': [refusal(400, { detail: '<script>alert(1)</script>' }), 502],
  'an escape': [refusal(400, { detail: '\u001b[2J\u202e' }), 502],
  'our own members': [
    refusal(400, { status: 200, request_id: 1, origin_error: {}, field: 7 }),
    502,
  ],
  'much more than a refusal': [refusal(400, { see: 'x'.repeat(100_000) }), 502],
  'no way': [funnel(undefined), 502],
  'a way of no number': [funnel({ ...TARGET, target_id: '1' }), 502],
  'a way below nothing': [funnel({ ...TARGET, target_id: -1 }), 502],
  'a way of half a number': [funnel({ ...TARGET, target_id: 1.5 }), 502],
  'a way of no end': [funnel({ ...TARGET, target_id: 1e300 }), 502],
  'a way of another hash': [funnel({ ...TARGET, parent_hash: 'AAAA' }), 502],
  'a way of many words': [funnel({ ...TARGET, phrase: 'x'.repeat(1001) }), 502],
  'a way by a list': [funnel([TARGET]), 502],
  'a way to what is not there': [
    funnel({ ...TARGET, target_id: 2 ** 52 }),
    409,
  ],
};

const AT_ONCE = 10;
const ROUNDS = FULL ? 300 : 10;
const MOST_BYTES = 60_000;

describe('a relay under attack', () => {
  const scene = givenLinked();
  const { outbox, away, back, set, stateOf } = scene;

  const count = (entity: EntityTarget<ObjectLiteral>) =>
    rows(scene.a).countBy(entity, {});

  for (const [name, [lie, status]] of Object.entries(LIES)) {
    it(`gives the agent no lie of its board: ${name}`, async () => {
      const { b, agent } = scene;
      let asked = 0;
      const server = createServer((req, res) => {
        // Hints and cosignatures come here as well.
        if (req.url === '/api/mesh/relay') asked += 1;
        req.resume().on('end', () => lie(res));
      });
      const { url, stop } = await serving(server);
      try {
        await movePeer(b, A, url);
        const { post, answer } = await postVia(b, agent, { title: name });
        expect(answer.status, answer.text).to.equal(status);
        expect(asked, 'requests').to.equal(1);
        expect(answer.text.length).to.be.below(10_000);
        const state = await stateOf(post.request_id);
        const due = status === 202 ? 'relay_pending' : 'failed';
        expect(state.status).to.equal(due);
        expect(state).not.to.have.property('receipt');
        // Another try of the agent is answered, whatever is kept of this one.
        const again = await preview(b, { ...post, board: A });
        expect(again.status, again.text).to.be.oneOf([200, 503]);
      } finally {
        await back();
        await stop();
      }
    });
  }

  it('is sent to no board that is blocked, gone or below level 4, and goes on after', async () => {
    const { a, b, clock, agent } = scene;
    await away();
    const { post } = await postVia(b, agent, { title: 'Held back' });
    await back();
    const before = await count(WriteRequest);
    for (const [name, status, level] of [
      [A, 'blocked', 4],
      [A, 'paused', 4],
      [A, 'quarantined', null],
      [A, 'active', 3],
      ['gone.example', 'active', 4],
    ] as const) {
      await set(b, { name, status, level });
      clock.advance(310_000);
      await outbox().runOnce();
      expect(await count(WriteRequest), status).to.equal(before);
      const state = await stateOf(post.request_id);
      expect(state.status, status).to.equal('relay_pending');
    }
    await set(b, { name: A, status: 'active', level: 4 });
    clock.advance(310_000);
    await outbox().runOnce();
    expect((await stateOf(post.request_id)).status).to.equal('published');
    expect(a.board.context.board.name).to.equal(A);
  });

  it('is taken while strangers hand in what they like', async () => {
    const { a, b, agent } = scene;
    const { relay_note, envelope } = relayBody(scene, agent);
    const pad = 'x'.repeat(MOST_BYTES);
    const forged = () => ({
      vkey: b.board.context.keys.node.vkey,
      pair: freshPair(),
    });
    const line = relay_note.split('\n\n')[1] ?? '';
    const kinds: (() => object | string)[] = [
      () => relayBody(scene, agent, { node: forged() }),
      () => ({ relay_note: relay_note + line.repeat(31), envelope }),
      () => ({ relay_note: relay_note + line.repeat(32), envelope }),
      () => ({ relay_note: pad, envelope }),
      () => ({ relay_note, envelope: { ...envelope, note: pad } }),
      () => ({ relay_note: relay_note.replace('from ', 'from x'), envelope }),
      () => ({
        relay_note,
        envelope: { ...envelope, keys: Array(9999).fill('k') },
      }),
      () => `${'{"relay_note":'.repeat(4000)}`,
      () => pad + pad,
      () => randomBytes(2000).toString('latin1'),
    ];
    const [attempts, messages] = [
      await count(BudgetSpend),
      await count(Message),
    ];
    for (let round = 0; round < ROUNDS; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, async (_, n) => {
          const body = (kinds[n % kinds.length] ?? randomUUID)();
          return await a
            .as('198.51.100.77')
            .post('/api/mesh/relay')
            .set('Content-Type', 'application/json')
            .send(body);
        }),
      );
      for (const { status, text } of answers) {
        expect(status, text).to.be.oneOf([400, 403, 413, 422]);
      }
    }
    expect(await count(Message)).to.equal(messages);
    expect(await count(BudgetSpend)).to.be.at.most(attempts + ROUNDS * 6);
    expect((await handIn(scene, agent)).status).to.equal(201);
    expect((await publish(a, { title: 'A guest' })).message.id).to.be.a(
      'number',
    );
    await recordFaults({ test: 'F19 strangers', faults: ROUNDS * AT_ONCE });
  });
});
