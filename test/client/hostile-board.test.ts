import { createServer, type RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import {
  type Agent,
  agentFromSeed,
  type BoardClient,
  BoardRefusal,
  ClientRefusal,
  createClient,
  NoAnswer,
  StillPending,
} from '../../client/board-client.js';
import { bridge } from '../../client/mcp/bridge.js';
import { recordFaults } from '../faults/report.js';
import { blind, type Json } from '../mesh/hostile/page-changes.js';
import { LIFTED_KEYS, pairOf, register } from '../support/agent.js';
import { FULL } from '../support/full.js';
import { given, givenBoard } from '../support/hooks.js';
import { publish } from '../support/post.js';
import { chosenSeed } from '../support/random.js';
import { serving } from '../support/serving.js';
import { asking, failure } from './support/asking.js';
import { cuttingProxy } from './support/proxy.js';

const RUNS = FULL ? 10_000 : 120;
/** More requests than any honest call makes. */
const MOST = 60;
const ENOUGH = 'enough';
const MIB = 2 ** 20;

const NAMED = [BoardRefusal, ClientRefusal, NoAnswer, StillPending];

type Call = (client: BoardClient, signal: AbortSignal) => Promise<unknown>;

const CALLS: Record<string, Call> = {
  topic: (it, signal) => it.post({ title: 'A', body: 'b' }, { signal }),
  poll: (it, signal) => {
    const poll = { question: 'Which?', options: ['a', 'b'] };
    return it.post({ title: 'A', body: 'b', poll }, { signal });
  },
  reply: (it, signal) => it.reply(1, { body: 'c', vote: 1 }, { signal }),
  'to another board': (it, signal) =>
    it.post({ title: 'A', body: 'b', board: 'other.example' }, { signal }),
  rate: (it, signal) => it.rate(1, 1, { signal }),
  ballot: (it, signal) => it.ballot(1, 'a', { signal }),
  updates: (it, signal) => it.followUpdates({ since: 0, signal }).next(),
  'from now on': (it, signal) => it.followUpdates({ signal }).next(),
  thread: async (it, signal) => {
    const messages = it.followThread(1, { signal });
    for (let n = 0; n < 5; n += 1) await messages.next();
  },
  'end of a thread': (it, signal) =>
    it.followThread(1, { last: 1, signal }).next(),
  keys: (it) => it.keys('a1yo4vra6fbac4f2gcfnwqle6xsiexgrox'),
  request: (it) => it.request('8f0f8a4e-3c5a-4b1e-9f57-6f6f2a1d9b11'),
};

/** An honest board would wait for news; here each answer comes at once. */
const atOnce: typeof fetch = (input, init) =>
  fetch(String(input).replace(/([?&])wait=\d+&?/, '$1'), init);

describe('a client of a board that lies about the form of its answers', () => {
  const test = givenBoard({
    // The thirty of an honest board are open soon, and a call waits for one.
    lifted: true,
    limits: { ...LIFTED_KEYS, open_polls_max: 100_000 },
    ledger: false,
  });
  let agent: Agent;

  before(async () => {
    const keys = await register(test);
    const seed = pairOf(keys, 0).secretKey.slice(0, 32);
    agent = await agentFromSeed(keys.id, seed);
    const poll = { question: 'Which?', options: ['a', 'b'] };
    await publish(test, { poll });
    for (let n = 0; n < 3; n += 1) await publish(test, { reply_to: 1 });
  });

  const lie = fc.record({
    call: fc.constantFrom(...Object.keys(CALLS)),
    signed: fc.boolean(),
    /** Which of the call's answers is changed; all of them without it. */
    nth: fc.option(fc.nat({ max: 3 })),
    changes: fc.array(blind, { minLength: 1, maxLength: 3 }),
  });

  it('ends every call, with a failure that has a name', async () => {
    const seed = chosenSeed();
    const ends = new Map<string, number>();
    const property = fc.asyncProperty(lie, async (it) => {
      const stop = new AbortController();
      let asked = 0;
      const proxy = await cuttingProxy(test.url, () => {
        const at = asked++;
        if (asked > MOST) stop.abort(new Error(ENOUGH));
        if (it.nth !== null && it.nth !== at) return 'pass';
        return {
          change: (text) => {
            let value = JSON.parse(text) as Json;
            for (const change of it.changes) value = change(value);
            return JSON.stringify(value) ?? '';
          },
        };
      });
      const { client } = asking(test, {
        board: proxy.url,
        fetch: atOnce,
        ...(it.signed ? { agent } : {}),
      });
      const call = CALLS[it.call] as Call;
      const end = await call(client, stop.signal).then(
        () => 'done',
        (error: Error) =>
          NAMED.some((one) => error instanceof one)
            ? error.name
            : error.message === ENOUGH
              ? ENOUGH
              : `${error.stack}`,
      );
      await proxy.stop();
      ends.set(end, (ends.get(end) ?? 0) + 1);
      expect(end).to.be.oneOf([
        'done',
        ENOUGH,
        ...NAMED.map((one) => one.name),
      ]);
      // Only who follows may be kept waiting, and waits longer each time.
      if (end === ENOUGH)
        expect(it.call).to.match(/updates|from now on|thread/);
    });
    await fc.assert(property, {
      ...{ numRuns: RUNS, seed, includeErrorInReport: true },
    });
    expect(
      ends.get('ClientRefusal') ?? 0,
      JSON.stringify([...ends]),
    ).to.be.above(0);
    await recordFaults({ test: 'D11 answers', seed, faults: RUNS });
  });
});

describe('a client of a board that wants to keep it busy', () => {
  let asked: string[];
  let answering: RequestListener;
  let waits: number[];
  let client: BoardClient;

  const listener: RequestListener = (req, res) => {
    asked.push(req.url ?? '');
    answering(req, res);
  };
  const server = given(() => serving(createServer(listener)));

  beforeEach(() => {
    asked = [];
    waits = [];
    client = createClient({
      board: server.url,
      random: () => 0,
      sleep: async (ms) => {
        waits.push(ms);
      },
    });
  });

  const says = (status: number, body: object) => {
    answering = (_, res) => {
      // A client that cannot stop is stopped here.
      if (asked.length > MOST) res.writeHead(404).end();
      else res.writeHead(status).end(JSON.stringify(body));
    };
  };

  it('reads 64 MiB of an answer, inflated, and no more', async () => {
    const bomb = gzipSync(Buffer.alloc(80 * MIB));
    expect(bomb.length).to.be.below(MIB);
    answering = (_, res) =>
      res.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb);
    const { message, reason } = await failure(client.brief(), ClientRefusal);
    expect([reason, message]).to.deep.equal([
      'not_a_board',
      'The answer is longer than 64 MiB, which no answer of a board is.',
    ]);
    const said: string[] = [];
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
    await bridge(
      { board: server.url, agentName: 'a test' },
      Readable.from([Buffer.from(JSON.stringify(call))]),
      (text) => said.push(text),
    );
    expect(said).to.have.length(1);
    expect(said[0]).to.include('longer than 64 MiB');
  });

  it('waits for times alone, and as long as it has patience', async () => {
    const odd = [-1, -1e300, 0.5, 1e300, 10_000_000, 'soon', '-3', null, [7]];
    for (const seconds of odd) {
      says(429, {
        ...{ error: 'rate_limited', detail: 'Wait.' },
        retry_after_seconds: seconds,
      });
      asked = [];
      waits = [];
      const { waitSeconds } = await failure(
        client.post({ title: 'A', body: 'b' }),
        BoardRefusal,
      );
      expect(waitSeconds, String(seconds)).to.equal(null);
      expect(Math.min(...waits), String(seconds)).to.be.at.least(250);
      expect(asked.length).to.be.below(20);
    }
  });

  it('reads a page of a thread that has nothing new once', async () => {
    const message = { id: 3, root_id: 1, room: 'lobby' };
    const page = { data: [message], has_more: true, cursor: 9, root_id: 1 };
    says(200, page);
    const stop = new AbortController();
    const messages = client.followThread(1, { signal: stop.signal });
    expect((await messages.next()).value).to.deep.equal(message);
    answering = (req, res) => {
      if (req.url?.startsWith('/api/updates')) stop.abort(new Error(ENOUGH));
      if (asked.length > MOST) stop.abort(new Error('too many'));
      res.end(JSON.stringify(page));
    };
    const { message: end } = await failure(messages.next(), Error);
    expect(end).to.equal(ENOUGH);
  });

  it('hands no request of the board on to a model’s program', async () => {
    const text = (id: unknown, more: object) =>
      `data: ${JSON.stringify({ jsonrpc: '2.0', id, ...more })}\n\n`;
    const note = { method: 'notifications/message', params: { data: 'x' } };
    answering = (_, res) =>
      res
        .writeHead(200, { 'Content-Type': 'text/event-stream' })
        .end(
          [
            text(undefined, note),
            text(7, { method: 'sampling/createMessage', params: {} }),
            text(null, { method: 'elicitation/create', params: {} }),
            text(1, { method: 'roots/list' }),
            text(1, { result: {} }),
            text(8, { method: 'sampling/createMessage', params: {} }),
          ].join(''),
        );
    const said: object[] = [];
    await bridge(
      { board: server.url, agentName: 'a test' },
      Readable.from([Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}')]),
      (line) => said.push(JSON.parse(line)),
    );
    expect(said).to.deep.equal([
      { jsonrpc: '2.0', ...note },
      { jsonrpc: '2.0', id: 1, result: {} },
    ]);
  });
});
