import pg from 'pg';
import { sequenceEvents } from '../../server/dashboard/live/broadcaster.js';
import {
  copyOut,
  keptTables,
} from '../../server/operations/backup/backup.sql.js';
import { type Agent, publishSigned, register } from '../support/agent.js';
import { startBoard, type TestBoard } from '../support/board.js';
import { preview, publish } from '../support/post.js';
import { report, send } from './moderation/reports/reporting.js';
import { openPoll, SURVEY } from './polls/polling.js';
import { rate } from './votes/rating.js';

const HOUR_MS = 3_600_000;
const OBSERVER = '192.0.2.200';

/** All that everybody can read without a parameter that one has to know. */
const PUBLIC = [
  ...['/', '/all.txt', '/moderation', '/t/1', '/search?q=reply'],
  ...['/api/brief', '/api/threads', '/api/updates', '/api/thread/1'],
  ...['/api/messages/3', '/api/search?q=reply', '/api/selections'],
  ...['/api/stats', '/api/usefulness', '/api/rooms', '/api/top', '/api/polls'],
  ...['/api/polls/updates', '/api/moderation', '/api/mesh', '/api/mesh/boards'],
  ...['/feed.atom', '/feed.json', '/moderation.atom', '/healthz'],
  ...['/log/checkpoint', '/log/feed', '/api/thread/1/text', '/api/protocol'],
];

type Network = (n: number) => string;

/** The same requests, by the network that `of` gives to each. */
const SCRIPT: readonly ((
  test: TestBoard,
  of: Network,
  agents: Agent[],
) => Promise<unknown>)[] = [
  (test, of) => publish(test, { title: 'One' }, of(0)),
  (test, of) => publish(test, { title: 'Two', name: 'ada' }, of(1)),
  (test, of) => publish(test, { reply_to: 1, body: 'a reply' }, of(0)),
  (test, of) => publish(test, { reply_to: 2, body: 'another' }, of(1)),
  (test, of) => preview(test, { title: 'Never published' }, of(0)),
  async (test, of, agents) =>
    agents.push(await register(test, { from: of(0) })),
  async (test, of, agents) =>
    agents.push(await register(test, { from: of(1) })),
  (test, _of, [one]) => publishSigned(test, one as Agent, { reply_to: 1 }),
  // The first page keeps its figures for a second, until the log grows.
  async (test, of) => {
    await rate(test, 1, 1, of(1));
    await rate(test, 2, -1, of(0));
    await publish(test, { reply_to: 2, body: 'third' }, of(1));
  },
  (test, of) => send(test, report({ message_id: 1 }), of(0)),
  (test, of) => send(test, report({ message_id: 2 }), of(1)),
  (test, of) => openPoll(test, SURVEY, {}, of(0)),
  (test, of) => openPoll(test, SURVEY, {}, of(1)),
  (test, of) => test.as(of(0)).get('/api/messages/999'),
  (test, of) => test.as(of(1)).get('/api/messages/999'),
  (test) => Promise.resolve(test.clock.advance(HOUR_MS)),
  (test) => Promise.resolve(test.clock.advance(3 * HOUR_MS)),
];

/** Long texts by when they were first seen: only what is equal is left. */
class Names {
  private readonly known = new Map<string, string>();

  of(text: string): string {
    return text.replace(/[A-Za-z0-9+/_=-]{16,}/g, (found) => {
      const name = this.known.get(found) ?? `<${this.known.size}>`;
      this.known.set(found, name);
      return name;
    });
  }
}

type Seen = { step: number; path: string; answer: string };

async function look(
  test: TestBoard,
  step: number,
  names: Names,
): Promise<Seen[]> {
  await test.flush();
  // A board does so once in a while: rows differ by when it was last done.
  await sequenceEvents(test.board.context.writes, test.clock.now());
  const seen: Seen[] = [];
  for (const path of PUBLIC) {
    const { status, headers, text } = await test
      .get(path, OBSERVER)
      // Packed, equal lengths of different names are of different lengths.
      .set('Accept-Encoding', 'identity');
    // What the reader itself has left is counted once its answer has gone.
    const {
      date: _date,
      connection: _kept,
      ratelimit: _own,
      ...shown
    } = headers;
    const answer = names.of(JSON.stringify([status, shown, text]));
    seen.push({ step, path, answer });
  }
  return seen;
}

/** The values of a backup's rows: each column's, and all of them together. */
async function backedUp(test: TestBoard): Promise<Map<string, string[]>> {
  const tables = await keptTables(test.board.context.reads);
  const client = new pg.Client({ connectionString: test.databaseUrl });
  const pool = client as unknown as pg.PoolClient;
  await client.connect();
  const values = new Map<string, string[]>();
  const add = (place: string, value: string) => {
    const some = values.get(place);
    if (some === undefined) values.set(place, [value]);
    else some.push(value);
  };
  try {
    for (const table of tables) {
      let text = '';
      for await (const bytes of copyOut(pool, table)) text += bytes;
      for (const line of text.split('\n').slice(0, -1)) {
        line.split('\t').forEach((field, at) => {
          const place = `${table.name}.${table.columns[at]}`;
          for (const value of field.split(/[{},":\\]+/)) {
            add(place, value);
            if (value.length >= 16) add('all', value);
          }
        });
      }
    }
  } finally {
    await client.end();
  }
  return values;
}

/** How often each value comes, whatever it is: `[3, 1]` is three alike. */
function alike(values: readonly string[]): number[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts.values()].sort((a, b) => b - a);
}

async function run(of: Network) {
  const test = await startBoard({ lifted: true, env: { ROLES: 'api' } });
  try {
    const names = new Names();
    const agents: Agent[] = [];
    const seen = await look(test, -1, names);
    for (const [step, ask] of SCRIPT.entries()) {
      test.clock.advance(60_000);
      await ask(test, of, agents);
      seen.push(...(await look(test, step, names)));
    }
    const rows = await backedUp(test);
    const kept = [...rows].map(([place, values]) => [place, alike(values)]);
    return { seen, kept: Object.fromEntries(kept) };
  } finally {
    await test.stop();
  }
}

describe('Posts of one network', () => {
  it('look like those of two, to all readers and in a backup', async () => {
    const one = await run(() => '198.51.100.1');
    const two = await run((n) => `198.51.100.${n + 1}`);
    expect(one.seen.length).to.equal(two.seen.length);
    for (const [at, { step, path, answer }] of one.seen.entries()) {
      expect(two.seen[at]?.answer, `${path} after step ${step}`).to.equal(
        answer,
      );
    }
    expect(one.kept).to.deep.equal(two.kept);
  });
});
