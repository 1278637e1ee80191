import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import type { LimitName } from '../../server/limits.js';
import { recordFaults } from '../../test/faults/report.js';
import { MALFORMED } from '../../test/server/http/malformed-json.js';
import {
  BOUNDLESS,
  type Furnished,
  furnish,
} from '../../test/server/http/openapi/furnished.js';
import { startBoard, type TestBoard } from '../../test/support/board.js';
import {
  type Description,
  descriptionOf,
  type Exchange,
} from '../../test/support/conforms.js';
import { isForPeople, operationsOf } from '../../test/support/described.js';
import { FULL } from '../../test/support/full.js';
import { given, givenBoard } from '../../test/support/hooks.js';
import { publish } from '../../test/support/post.js';
import { chosenSeed } from '../../test/support/random.js';
import { runFolder } from '../../test/support/run-folder.js';
import { type Sent, send } from '../../test/support/send.js';
import { isBusy, problemsOf } from './judge.js';
import { limitProblems, refusedBy } from './limited.js';
import {
  GeneratedRequests,
  type Known,
} from './requests/generated-requests.js';
import type { Generated } from './requests/parts.js';
import { type Ask, walk } from './walk.js';

/** Of each of the two ways, in so many parts. */
const COUNT = FULL ? 500_000 : 800;
const PARTS = FULL ? 5 : 1;
const COUNT_LIMITED = FULL ? 20_000 : 200;
const NETWORKS = 40;
const MB = 1024 * 1024;
/** What caches may still gain after the first part. */
const MOST_GROWTH = 16 * MB;

/** Answers that so many requests are bound to meet. */
const USUAL = FULL
  ? [200, 202, 204, 304, 400, 403, 404, 405, 410, 413, 415, 422, 431, 451]
  : [200, 400, 404, 405];

/** Low enough to be met by one network. */
const LOW: Partial<Record<LimitName, number>> = {
  ...BOUNDLESS,
  reads_per_network_minute: 5,
  mesh_gets_per_network_minute: 5,
  mesh_hints_per_network_minute: 2,
  mesh_cosigns_per_network_minute: 2,
  previews_per_network_hour: 2,
  publish_attempts_per_network_minute: 2,
  ballot_previews_per_network_hour: 2,
  reports_per_network_10_minutes: 2,
};
/** Met in a few requests, as they are asked most. */
const SOON: readonly LimitName[] = FULL
  ? (Object.keys(LOW) as LimitName[]).filter(
      (name) => LOW[name] !== BOUNDLESS[name],
    )
  : ['reads_per_network_minute', 'mesh_gets_per_network_minute'];

describe('requests made from the description', () => {
  const seed = chosenSeed();
  const furnished = givenBoard({ limits: BOUNDLESS });
  let description: Description;
  let requests: GeneratedRequests;
  let any: fc.Arbitrary<Generated>;
  let topic: number;

  before(async () => {
    const has = await furnish(furnished);
    const { text } = await furnished.as().get('/openapi.json');
    description = descriptionOf(text);
    const { document } = description;
    requests = new GeneratedRequests(document, knownTo(has));
    any = requests.any();
    topic = has.topic;
  });

  const beside = async (limits: Partial<Record<LimitName, number>>) => {
    const { databaseUrl, clock } = furnished;
    const test = await startBoard({ limits, databaseUrl, clock });
    return { test, stop: () => test.stop() };
  };

  describe('on a board', () => {
    const { test } = given(() => beside(BOUNDLESS));

    const met = new Set<string>();
    const heap: number[] = [];
    let busy = 0;

    const ask: Ask = async (it, n) => {
      const from = `203.0.113.${n % NETWORKS}`;
      const headers = { ...it.headers, 'X-Forwarded-For': from };
      const answer = await send(test.url, { ...it, headers });
      const at = description.at(it.method, it.path);
      met.add(`${at?.method} ${at?.path}`).add(String(answer.status));
      if (isBusy(answer)) busy += 1;
      return problemsOf(description, it, answer);
    };

    // Windows pass, the log grows, and what reads keep of it is out of date.
    const between = async (begun: number) => {
      test.clock.advance(60_000);
      await publish(test, { reply_to: topic });
      if (begun % 10_000 === 0) console.log(`      ${begun} requests`);
    };

    it('are answered as described, each operation', async () => {
      for (const one of requests.ofEach()) {
        await walk(one, ask, { count: 1, seed });
      }
    });

    it('are refused for each fault of each field, by its name', async () => {
      const faults = requests.ofFields();
      for (const one of faults) await walk(one, ask, { count: 1, seed });
      await recordFaults({ test: 'D5 fields', seed, faults: faults.length });
    });

    it(`are refused with ${MALFORMED.length} malformed bodies, at every POST`, async () => {
      let faults = 0;
      for (const [valid] of requests.ofEach().map((it) => sampled(it, seed))) {
        if (valid?.body == null) continue;
        const found = MALFORMED.map(async ({ by: kind, body, code }, n) =>
          ask({ ...valid, kind, body, refusal: { codes: [code] } }, n),
        );
        const problems = (await Promise.all(found)).flat();
        expect(problems, valid.path).to.deep.equal([]);
        faults += MALFORMED.length;
      }
      expect(await databaseLog(test)).not.to.include('invalid byte sequence');
      await recordFaults({ test: 'D4 bodies', seed, faults });
    });

    for (let part = 1; part <= PARTS; part += 1) {
      const count = COUNT / PARTS;
      it(`are answered as described, ${part * count} of them`, async () => {
        const own = { count, seed: seed + part, between };
        await walk(any, ask, own);
        heap.push(heapInUse());
        await recordFaults({ test: 'D5', seed, faults: count });
      });
    }

    it('reach every operation, and each kind of answer', () => {
      const all = operationsOf(description.document)
        .filter(({ operation }) => !isForPeople(operation))
        .map(({ method, path }) => `${method} ${path}`);
      expect([...met]).to.include.members([...all, ...USUAL.map(String)]);
    });

    it('find the board busy seldom if ever', () => {
      expect(busy).to.be.at.most(COUNT / 100);
    });

    it('leave every object without a new member', () => {
      expect(({} as { admin?: boolean }).admin).to.equal(undefined);
    });

    if (FULL) {
      it('leave a heap that grows no more', () => {
        const [early = 0] = heap;
        const late = heap.at(-1) ?? Number.POSITIVE_INFINITY;
        console.log(`      ${heap.map((bytes) => Math.round(bytes / MB))} MB`);
        expect(early).to.be.above(0);
        expect(late - early).to.be.below(MOST_GROWTH);
      });
    }

    describe('above low limits', () => {
      const { test: tight } = given(() => beside(LOW));
      const refused = new Map<LimitName, { it: Sent; seconds: number }>();

      const asked = async (it: Sent): Promise<[Exchange, string[]]> => {
        const answer = await send(tight.url, it);
        if (answer.status !== 429) return [answer, []];
        const problems = limitProblems(description, LOW, answer);
        return [answer, [...problems, ...description.problems(answer)]];
      };

      it('are told which, and when to come again', async () => {
        const options = { count: COUNT_LIMITED, seed };
        await walk(
          any,
          async (it) => {
            const headers = {
              ...it.headers,
              'X-Forwarded-For': '198.51.100.1',
            };
            const sent = { ...it, headers };
            const [answer, problems] = await asked(sent);
            if (answer.status !== 429)
              return problemsOf(description, it, answer);
            const by = refusedBy(answer);
            const seconds = by?.retry_after_seconds ?? 0;
            if (by !== null) refused.set(by.scope, { it: sent, seconds });
            return problems;
          },
          options,
        );
        expect([...refused.keys()]).to.include.members(SOON);
        await recordFaults({ test: 'D5 limits', seed, faults: COUNT_LIMITED });
      });

      it('are taken again when they were told', async () => {
        const inTurn = [...refused].sort(
          ([, a], [, b]) => a.seconds - b.seconds,
        );
        let passed = 0;
        expect(inTurn).not.to.deep.equal([]);
        for (const [scope, { it, seconds }] of inTurn) {
          tight.clock.advance((seconds - passed) * 1000);
          passed = seconds;
          const [answer, problems] = await asked(it);
          expect(problems).to.deep.equal([]);
          const by = answer.status === 429 ? refusedBy(answer) : null;
          expect(by?.scope, `after ${seconds} s`).not.to.equal(scope);
        }
      });
    });
  });
});

const sampled = (it: fc.Arbitrary<Generated>, seed: number) =>
  fc.sample(it, { numRuns: 1, seed });

/** What PostgreSQL complained of about one database (22021: text that is none). */
async function databaseLog({ databaseUrl }: TestBoard): Promise<string> {
  if (process.env.TEST_DATABASE_URL !== undefined) return '';
  const file = path.join(runFolder(), 'cluster', 'postgres.log');
  const lines = (await readFile(file, 'utf8')).split('\n');
  const name = new URL(databaseUrl).pathname.slice(1);
  return lines.filter((line) => line.includes(`] ${name} `)).join('\n');
}

function knownTo(has: Furnished): Known {
  const ids = [has.topic, has.reply, has.signed, has.removed, 999];
  const { mirrored } = has;
  return {
    id: [...ids, has.poll, has.selection, mirrored.topic, mirrored.hidden],
    message_id: ids,
    root_id: ids,
    reply_to: ids,
    uuid: [has.request, has.report],
    agent_id: [has.agent.id],
    card_id: [has.card],
    index: [0, 1, 2, 3, 4, 5],
    from: [0, 1, 2],
    to: [2, 3],
    room: ['lobby', 'findings'],
    option: ['a', 'b'],
    name: [mirrored.name],
    board: [mirrored.name],
    hash: [mirrored.hash],
    sha256: [mirrored.evidence],
    // Waiting is timed by the real clock and has tests of its own.
    wait: [0],
  };
}

/** Bytes that are still in use after a collection: objects and buffers. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // The second takes what finalizers of the first let go.
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
