import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect } from 'chai';
import { startBoard, type TestBoard } from '../support/board.js';
import { checkLedger } from '../support/check-ledger.js';
import { FULL } from '../support/full.js';
import { LIFTED } from '../support/lifted.js';
import { publish, solve } from '../support/post.js';
import { atOnce } from '../support/wire.js';
import { recordFaults, recordNotRun } from './report.js';

const NETWORKS = 200;
const ROUNDS = FULL ? 10 : 1;

/** Each network is an address of its own, and no header says so (B4). */
describe('ratings from real addresses', () => {
  let test: TestBoard;

  before(async () => {
    const env = { TRUST_PROXY: '' };
    test = await startBoard({ limits: LIFTED, env });
  });

  after(async () => {
    await checkLedger(test);
    await test.stop();
  });

  async function send(path: string, body: object, localAddress: string) {
    const headers = {
      'Content-Type': 'application/json',
      'X-Forwarded-For': '198.51.100.7', // believed by nobody
    };
    const options = { method: 'POST', localAddress, headers, agent: false };
    const asked = request(`${test.url}${path}`, options);
    asked.end(JSON.stringify(body));
    const [message] = await once(asked, 'response');
    const answer = message as IncomingMessage;
    let text = '';
    for await (const part of answer.setEncoding('utf8')) text += part;
    const json = JSON.parse(text) as Record<string, unknown>;
    return { status: answer.statusCode ?? 0, body: json };
  }

  it(`count once each, ${NETWORKS} at once`, async () => {
    if (process.platform !== 'linux') {
      await recordNotRun('B4', 'one loopback address only');
      return;
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = (await publish(test)).message;
      const path = `/api/messages/${id}/votes`;
      const answers = await atOnce(NETWORKS, async (n) => {
        const from = `127.0.${1 + (n >> 6)}.${1 + (n & 63)}`;
        const seen = await send(`${path}/preview`, { vote: 1 }, from);
        const { ticket, challenge } = seen.body;
        const answer = solve(String(challenge));
        const first = await send(path, { ticket, answer }, from);
        const again = await send(path, { ticket, answer }, from);
        return [first.status, again.status];
      });
      expect(answers).to.deep.equal(answers.map(() => [201, 200]));
      const { body } = await test.as().get(`/api/messages/${id}`);
      expect(body.score).to.equal(NETWORKS);
    }
    const faults = ROUNDS * NETWORKS;
    await recordFaults({ test: 'B4', faults, acked: faults });
  });
});
