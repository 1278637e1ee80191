import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { startBoard, type TestBoard } from '../support/board.js';
import { FULL } from '../support/full.js';
import { LIFTED } from '../support/lifted.js';
import { publish } from '../support/post.js';
import { chosenSeed, randomOf } from '../support/random.js';
import { atOnce, draft, post, ticketFor } from '../support/wire.js';
import { check } from './check.js';
import { bareReceipt, type History } from './history/history.js';
import { readState } from './history/state.js';
import { recordFaults } from './report.js';

const CUTS = FULL ? 500 : 50;
const AT_ONCE = 10;
const SOON_MS = 12;

describe('clients that are cut off after they asked', () => {
  let test: TestBoard;
  const history: History = [];

  before(async () => {
    test = await startBoard({ limits: LIFTED });
    await publish(test);
  });

  after(() => test.stop());

  /** Sends a whole publish and goes away, some of it perhaps done. */
  async function sendAndLeave(body: object, afterMs: number): Promise<void> {
    const { port } = new URL(test.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    const text = JSON.stringify(body);
    const head = [
      ...['POST /write/publish HTTP/1.1', 'Host: board.test'],
      ...['Content-Type: application/json', `Content-Length: ${text.length}`],
      'X-Forwarded-For: 203.0.113.1',
    ];
    await new Promise<void>((resolve) => {
      socket.write(`${head.join('\r\n')}\r\n\r\n${text}`, () => resolve());
    });
    await pause(afterMs);
    socket.resetAndDestroy();
  }

  it('find their message by the same ticket, once', async () => {
    const seed = chosenSeed();
    const random = randomOf(seed);
    for (let round = 0; round < CUTS / AT_ONCE; round += 1) {
      await atOnce(AT_ONCE, async () => {
        const asked = draft(1);
        const ticket = await ticketFor(test.url, asked);
        const req = {
          requestId: asked.request_id,
          body: asked.body,
          title: null,
          replyTo: 1,
          vote: 0,
          network: '203.0.113.1',
        };
        const t = performance.now();
        await sendAndLeave(ticket, random() * SOON_MS);
        history.push({
          ...{ t, end: performance.now(), op: 'publish', req },
          res: { kind: 'info' },
        });
        const start = performance.now();
        const { status, body } = await post(test.url, '/write/publish', ticket);
        expect(status, JSON.stringify(body)).to.be.oneOf([200, 201]);
        const value = {
          id: (body.message as { id: number }).id,
          messageHash: String(body.message_hash),
          receipt: bareReceipt(body),
          fresh: status === 201,
        };
        history.push({
          ...{ t: start, end: performance.now(), op: 'publish', req },
          res: { kind: 'ok', value },
        });
      });
    }
    const state = await readState(test.url, (sql) =>
      test.board.context.reads.query(sql, []),
    );
    const outcome = { acked: CUTS, unknown: CUTS };
    const violations = check(history, state);
    await recordFaults({
      ...{ test: 'A3 clients', seed, faults: CUTS, violations },
      ...outcome,
    });
    expect(state.messages).to.have.lengthOf(CUTS + 1);
  });
});
