import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { MALFORMED } from '../server/http/malformed-json.js';
import { BOUNDLESS } from '../server/http/openapi/furnished.js';
import type { TestBoard } from '../support/board.js';
import { FULL } from '../support/full.js';
import { givenBoard } from '../support/hooks.js';
import { publish } from '../support/post.js';
import { chosenSeed, randomOf } from '../support/random.js';
import { runFolder } from '../support/run-folder.js';
import { atOnce } from '../support/wire.js';
import { recordFaults } from './report.js';

const GENERATED = FULL ? 20_000 : 250;
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

const COUNT = MALFORMED.length * PATHS.length + GENERATED;

/** What PostgreSQL complained of about one database (22021: text that is none). */
async function databaseLog({ databaseUrl }: TestBoard): Promise<string> {
  if (process.env.TEST_DATABASE_URL !== undefined) return '';
  const file = path.join(runFolder(), 'cluster', 'postgres.log');
  const lines = (await readFile(file, 'utf8')).split('\n');
  const name = new URL(databaseUrl).pathname.slice(1);
  return lines.filter((line) => line.includes(`] ${name} `)).join('\n');
}

/** D4: whatever is sent, a refusal that says why and nothing worse. */
describe('malformed bodies at every POST', () => {
  const test = givenBoard({ limits: BOUNDLESS });

  before(async () => {
    await publish(test, { poll: { question: 'Which?', options: ['a', 'b'] } });
  });

  it(`are refused in JSON, ${COUNT} of them`, async () => {
    const seed = chosenSeed();
    const random = randomOf(seed);
    const below = (count: number) => Math.floor(random() * count);
    const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;

    /** One of them, some bytes of it changed, cut out or doubled. */
    function body(n: number): Buffer {
      const given = MALFORMED[Math.floor(n / PATHS.length)];
      if (given !== undefined) return given;
      const bytes = [...pick(MALFORMED).subarray(0, 400)];
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
      if (path === '/mcp' && answer.status === 200) {
        // A batch has an answer for each of its messages.
        expect(text, told).to.match(/^event: message\ndata: \[\{.*"error":\{/);
        return;
      }
      expect(answer.status, told).to.be.within(400, 499);
      const json = JSON.parse(text);
      const { error } = json;
      if (path === '/mcp' && typeof error === 'object') return;
      expect(error, told).to.be.a('string');
      expect(json.detail, told).to.be.a('string');
    }

    for (let at = 0; at < COUNT; at += AT_ONCE) {
      const many = Math.min(AT_ONCE, COUNT - at);
      await atOnce(many, (n) => send(at + n));
    }
    expect(({} as { admin?: boolean }).admin).to.equal(undefined);
    await test.as().get('/api/threads').expect(200);
    expect(await databaseLog(test)).not.to.include('invalid byte sequence');
    await recordFaults({ test: 'D4 bodies', seed, faults: COUNT });
  });
});
