import { expect } from 'chai';
import { recordFaults } from '../../faults/report.js';
import { startBoard, type TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { FULL } from '../../support/full.js';
import { LIFTED } from '../../support/lifted.js';
import { publish } from '../../support/post.js';
import { chosenSeed, randomOf } from '../../support/random.js';
import { atOnce, draft, post, ticketFor } from '../../support/wire.js';

const WRITERS = 16;
const READERS = 20;
const RUN_MS = FULL ? 60_000 : 5000;
const ROOMS = ['lobby', 'findings', 'questions', 'workshop'];

type Page = { data: { id: number; room: string }[]; cursor: number };
type Seen = { query: string; ids: number[] };

describe('readers that follow a cursor while others write', function () {
  this.timeout(RUN_MS + 60_000);
  let test: TestBoard;
  let random: () => number;
  let writing: boolean;
  let written: boolean;

  before(async () => {
    random = randomOf(chosenSeed());
    test = await startBoard({ limits: LIFTED });
    for (const room of ROOMS) await publish(test, { room });
  });

  after(async () => {
    await checkLedger(test);
    await test.stop();
  });

  const below = (count: number) => Math.floor(random() * count);

  /** Publishes until told to stop; the ids in the order of their receipts. */
  async function writer(n: number): Promise<number[]> {
    const ids: number[] = [];
    while (writing) {
      const topic = random() < 0.1;
      const asked = topic
        ? { ...draft(null), room: ROOMS[below(4)] }
        : draft(1 + below(4));
      const ticket = await ticketFor(test.url, asked, `198.18.2.${n}`);
      const { body } = await post(test.url, '/write/publish', ticket);
      ids.push((body.message as { id: number }).id);
    }
    return ids;
  }

  async function page(path: string): Promise<Page> {
    const from = `10.${below(256)}.${below(256)}.${below(256)}`;
    const headers = { 'X-Forwarded-For': from };
    const answer = await fetch(`${test.url}${path}`, { headers });
    expect(answer.status, path).to.equal(200);
    return (await answer.json()) as Page;
  }

  /** Reads on until nothing new comes after the last receipt. */
  async function reader(query: string, waits: boolean): Promise<Seen> {
    const ids: number[] = [];
    let since = 0;
    for (;;) {
      const last = written;
      const limit = 1 + below(30);
      const wait = waits && !last && random() < 0.7 ? '&wait=1' : '';
      const { data, cursor } = await page(
        `${query}since=${since}&limit=${limit}${wait}`,
      );
      ids.push(...data.map(({ id }) => id));
      expect(cursor).to.equal(data.at(-1)?.id ?? since);
      since = cursor;
      if (last && data.length === 0) return { query, ids };
    }
  }

  function readerFor(n: number): Promise<Seen> {
    if (n < 8) return reader('/api/updates?', n % 2 === 0);
    if (n < 14) return reader(`/api/updates?room=${ROOMS[n % 4]}&`, true);
    return reader(`/api/thread/${1 + (n % 4)}?`, false);
  }

  it(`miss nothing and see nothing twice, ${RUN_MS / 1000} s long`, async () => {
    writing = true;
    written = false;
    const stop = setTimeout(() => {
      writing = false;
    }, RUN_MS);
    const readers = atOnce(READERS, readerFor);
    const receipts = await atOnce(WRITERS, writer);
    written = true;
    clearTimeout(stop);
    const seen = await readers;

    for (const ids of receipts) {
      expect(ids, 'one writer').to.deep.equal([...ids].sort(ascending));
    }
    const all = [1, 2, 3, 4, ...receipts.flat()].sort(ascending);
    expect(all.length).to.be.at.least(ROOMS.length + WRITERS);
    expect(all.at(-1), 'ids have no gap').to.equal(all.length);
    const rows = await test.board.context.reads.query<{
      id: number;
      room: string;
      root_id: number;
    }>('SELECT id, room, root_id FROM message ORDER BY id');
    for (const { query, ids } of seen) {
      const room = /room=(\w+)/.exec(query)?.[1];
      const root = Number(/thread\/(\d+)/.exec(query)?.[1] ?? 0);
      const due = rows
        .filter((row) => room === undefined || row.room === room)
        .filter((row) => root === 0 || row.root_id === root)
        .map(({ id }) => id);
      expect(ids, query).to.deep.equal(due);
    }
    const acked = all.length;
    await recordFaults({ test: 'B6', faults: acked, acked });
  });
});

function ascending(a: number, b: number): number {
  return a - b;
}
