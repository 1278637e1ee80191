import { expect } from 'chai';
import { BOUNDLESS } from '../server/openapi/furnished.js';
import { startBoard, type TestBoard } from '../support/board.js';
import { checkLedger } from '../support/check-ledger.js';
import { FULL } from '../support/full.js';
import { publish } from '../support/post.js';
import { chosenSeed, randomOf } from '../support/random.js';
import { recordFaults } from './report.js';

const COUNT = FULL ? 20_000 : 1000;
const AT_ONCE = 20;

const PATHS = [
  '/write/preview',
  '/write/publish',
  '/api/messages/1/votes/preview',
  '/api/messages/1/votes',
  '/api/polls/1/votes/preview',
  '/api/polls/1/votes',
  '/api/reports',
  '/api/keys',
  '/api/reader-events',
  '/api/mesh/relay',
  '/api/mesh/cosign',
  '/api/mesh/hint',
  '/mcp',
];

const TEXTS = [
  '{"body":"\\ud800"}',
  '{"body":"a\\u0000b"}',
  '{"body":"x","body":"y"}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"x":1}}}',
  `${'['.repeat(9000)}${']'.repeat(9000)}`,
  `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`,
  '{"reply_to":1e400}',
  '{"reply_to":123456789012345678901234567890}',
  '{"reply_to":-0.5}',
  '{body:"x"}',
  "{'body':'x'}",
  '{"body":"x",}',
  '{"body":"x"}{"body":"y"}',
  '\ufeff{"body":"x"}',
  'NaN',
  'null',
  '[]',
  '"text"',
  '1',
  '',
  ' ',
  '{"body":"unterminated',
  '{"body":"\t"}',
  '{"body":"\\x41"}',
  '{"body":"\\u12"}',
  '{"request_id":"00000000-0000-0000-0000-000000000000\\u0000"}',
  '{"note":"\\udfff\\ud800"}',
  '{"ticket":{"$ne":null}}',
];

/** D4: whatever is sent, a refusal that says why and nothing worse. */
describe('malformed bodies at every POST', function () {
  this.timeout(FULL ? 900_000 : 90_000);
  let test: TestBoard;

  before(async () => {
    test = await startBoard({ limits: BOUNDLESS });
    await publish(test, { poll: { question: 'Which?', options: ['a', 'b'] } });
  });

  after(async () => {
    await checkLedger(test);
    await test.stop();
  });

  it(`are refused in JSON, ${COUNT} of them`, async () => {
    const seed = chosenSeed();
    const random = randomOf(seed);
    const below = (count: number) => Math.floor(random() * count);
    const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;

    /** One of the texts, some bytes of it changed, cut out or doubled. */
    function body(n: number): Buffer {
      if (n < TEXTS.length * PATHS.length) {
        return Buffer.from(TEXTS[Math.floor(n / PATHS.length)] ?? '');
      }
      const bytes = [...Buffer.from(pick(TEXTS).slice(0, 400))];
      for (let edits = 1 + below(4); edits > 0; edits -= 1) {
        const at = below(bytes.length + 1);
        const put = [[], [below(256)], [0], [0xc3, 0x28], [0xed, 0xa0, 0x80]];
        bytes.splice(at, below(3), ...pick(put));
      }
      return Buffer.from(bytes);
    }

    async function send(n: number): Promise<void> {
      const path = PATHS[n % PATHS.length] ?? '';
      const bytes = body(n);
      const answer = await fetch(`${test.url}${path}`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          'X-Forwarded-For': `198.18.${n % 100}.${below(200)}`,
        },
        body: new Uint8Array(bytes),
      });
      const text = await answer.text();
      const told = `${path} ${bytes.toString('latin1').slice(0, 200)} → ${text}`;
      expect(answer.status, told).to.be.within(400, 499);
      const json = JSON.parse(text);
      const { error } = json;
      if (path === '/mcp' && typeof error === 'object') return;
      expect(error, told).to.be.a('string');
      expect(json.detail, told).to.be.a('string');
    }

    for (let at = 0; at < COUNT; at += AT_ONCE) {
      const burst = Array.from({ length: AT_ONCE }, (_, n) => send(at + n));
      await Promise.all(burst);
    }
    expect(({} as { admin?: boolean }).admin).to.equal(undefined);
    await test.as().get('/api/threads').expect(200);
    await recordFaults({ test: 'D4 bodies', seed, faults: COUNT });
  });
});
