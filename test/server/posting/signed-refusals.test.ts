import { expect } from 'chai';
import { toBase64, utf8 } from '../../../protocol/bytes.js';
import { signBytes } from '../../../protocol/signing.js';
import {
  type Agent,
  advance,
  currentPair,
  freshPair,
  pairOf,
  record,
  register,
  sendKey,
  signEvent,
  signed,
} from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';
import { forAllTests } from '../../support/hooks.js';
import { filled, preview } from '../../support/post.js';
import { type SigningBoard, signingBoard } from './signing-board.js';

const AGE_MS = 900_000;
/** The order of the group, little endian, to add to a signature's S. */
const L = Buffer.from(
  'edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010',
  'hex',
);

/** S + L: the same point for whoever does not check the range of S. */
function malleated(signature: string): string {
  const bytes = Buffer.from(signature, 'base64');
  let carry = 0;
  for (let at = 0; at < 32; at += 1) {
    const sum = (bytes[32 + at] ?? 0) + (L[at] ?? 0) + carry;
    bytes[32 + at] = sum & 0xff;
    carry = sum >> 8;
  }
  return bytes.toString('base64');
}

describe('POST /write/publish: what is wrong with a signature', () => {
  let board: SigningBoard;
  let test: TestBoard;
  let agent: Agent;
  let root: number;

  forAllTests(signingBoard, (made) => {
    board = made;
    ({ test, agent, root } = board);
  });

  const send: SigningBoard['send'] = (...args) => board.send(...args);
  const previewed: SigningBoard['previewed'] = (...args) =>
    board.previewed(...args);

  const illFormed: [string, unknown][] = [
    ['no signature', undefined],
    ['an empty one', ''],
    ['the placeholder', 'YOUR_SIGNATURE'],
    ['a number', 5],
    ['null', null],
    ['63 bytes', Buffer.alloc(63).toString('base64')],
    ['65 bytes', Buffer.alloc(65).toString('base64')],
    ['hex', Buffer.alloc(64).toString('hex')],
    ['base64 without padding', 'A'.repeat(86)],
    ['base64url', `${'_'.repeat(84)}_w==`],
    ['trailing bits', `${'A'.repeat(85)}B==`],
    ['white space', ` ${Buffer.alloc(64).toString('base64')}`],
  ];
  for (const [why, signature] of illFormed) {
    it(`refuses ${why} as invalid_input`, async () => {
      const ticket = filled(await previewed(agent));
      const answer = await send({ ...ticket, signature });
      expect(answer.status).to.equal(400);
      expect(answer.body).to.include({
        error: 'invalid_input',
        field: 'signature',
      });
    });
  }

  it('takes no signature with the ticket of a guest', async () => {
    const ticket = filled(await preview(test, {}));
    const signature = Buffer.alloc(64).toString('base64');
    for (const sent of [signature, '', 'junk']) {
      const answer = await send({ ...ticket, signature: sent });
      expect(answer.status).to.equal(400);
      expect(answer.body).to.include({
        error: 'unknown_field',
        field: 'signature',
      });
    }
    expect((await send(ticket)).status).to.equal(201);
  });

  const forgeries: Record<string, (text: string) => string> = {
    'another key': (text) => toBase64(signBytes(utf8(text), freshPair())),
    'another text': (text) =>
      toBase64(signBytes(utf8(text.trimEnd()), currentPair(agent))),
    'the other board': (text) =>
      toBase64(
        signBytes(
          utf8(text.replace('board.test', 'board-b.test')),
          currentPair(agent),
        ),
      ),
    'the key that is only next': (text) =>
      toBase64(signBytes(utf8(text), pairOf(agent, 1))),
    'S + L': (text) =>
      malleated(toBase64(signBytes(utf8(text), currentPair(agent)))),
    zeros: () => Buffer.alloc(64).toString('base64'),
    'the opposite vote': (text) =>
      toBase64(
        signBytes(utf8(text.replace('vote +1', 'vote -1')), currentPair(agent)),
      ),
  };
  for (const [why, forge] of Object.entries(forgeries)) {
    it(`refuses a signature of ${why} as signature_invalid`, async () => {
      const before = await previewed(agent, { reply_to: root, vote: 1 });
      const { statement } = before.body.signing;
      const answer = await send({
        ...filled(before),
        signature: forge(statement),
      });
      expect(answer.status).to.equal(403);
      expect(answer.body).to.include({
        error: 'signature_invalid',
        field: 'signature',
      });
    });
  }

  it('ends the use of a key for tickets previewed before its rotation', async () => {
    const writer = await register(test);
    const before = await previewed(writer);
    await record(test, advance(writer, 'rotate'));
    const old = await send(signed(before, pairOf(writer, 0)));
    expect(old.status).to.equal(403);
    expect(old.body).to.include({
      error: 'key_superseded',
      field: 'signature',
    });
    const next = await send(signed(before, pairOf(writer, 1)));
    expect(next.status).to.equal(201);
    const proof = await test.as().get(new URL(next.body.proof_url).pathname);
    expect(proof.body.key_seq).to.equal(1);
    expect(proof.body.keys).to.deep.equal(writer.notes);
  });

  for (const [error, end] of [
    ['key_revoked', async (one: Agent) => record(test, advance(one, 'revoke'))],
    [
      'key_conflicted',
      async (one: Agent) => {
        const [event] = one.events;
        if (event === undefined) throw new Error('no event');
        await sendKey(test, signEvent(one, { ...event, at: event.at + 1 }));
      },
    ],
  ] as const) {
    it(`refuses tickets of a key that ended as ${error}`, async () => {
      const writer = await register(test);
      const pair = currentPair(writer);
      const before = await previewed(writer);
      await end(writer);
      const answer = await send(signed(before, pair));
      expect(answer.status).to.equal(403);
      expect(answer.body.error).to.equal(error);
    });
  }

  it('refuses a statement more than 900 s from the clock, either way', async () => {
    const late = await previewed(agent);
    const start = test.clock.now();
    test.clock.advance(AGE_MS + 1);
    const stale = await send(signed(late, currentPair(agent)));
    expect(stale.status).to.equal(400);
    expect(stale.body.error).to.equal('stale_statement');
    test.clock.set(start + AGE_MS);
    expect((await send(signed(late, currentPair(agent)))).status).to.equal(201);
    const early = await previewed(agent);
    test.clock.advance(-AGE_MS - 1);
    const ahead = await send(signed(early, currentPair(agent)));
    expect(ahead.body.error).to.equal('stale_statement');
    test.clock.advance(1);
    expect((await send(signed(early, currentPair(agent)))).status).to.equal(
      201,
    );
    test.clock.set(start + AGE_MS);
  });
});
