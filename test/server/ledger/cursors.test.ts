import { Message } from '../../../server/db/entities/message.js';
import { MirrorUpdate } from '../../../server/db/entities/mirror.js';
import { recordFaults } from '../../faults/report.js';
import { level, meshBoard, peerUp } from '../../mesh/support/two-boards.js';
import { startBoard, type TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { FULL } from '../../support/full.js';
import { publish } from '../../support/post.js';
import { chosenSeed, randomOf } from '../../support/random.js';
import { rows } from '../../support/rows.js';
import { until } from '../../support/until.js';
import {
  atOnce,
  draft,
  post,
  template,
  ticketFor,
} from '../../support/wire.js';

const WRITERS = 16;
/** So many of them write on the other board. */
const FAR_WRITERS = 4;
const READERS = 20;
const RUN_MS = FULL ? 60_000 : 5000;
const ROOMS = ['lobby', 'findings', 'questions', 'workshop'];
const FAR = 'far.example';
const MESH = { MESH_ALLOW_HTTP: 'on', MESH_ALLOW_PRIVATE: 'on' };
/** A clock that stands still makes one minute of the whole run. */
const GETS = {
  mesh_gets_per_network_minute: 1_000_000,
  mesh_get_bytes_per_network_minute: 1_000_000_000_000,
};

type Page = { data: { id: number; room: string }[]; cursor: number };
type Cursor = {
  path: string;
  waits: boolean;
  /** Which messages it has to show; those of the other board for `far`. */
  due: (row: Message) => boolean;
  of: 'here' | 'far';
  /** Its numbers are places in an order of their own. */
  places?: true;
};

function cursorOf(n: number): Cursor {
  const room = ROOMS[n % 4];
  const root = 1 + (n % 4);
  const here = { of: 'here', waits: n % 3 !== 0 } as const;
  const far = { of: 'far', waits: n % 3 !== 0, due: () => true } as const;
  if (n < 6) return { ...here, path: '/api/updates?', due: () => true };
  if (n < 10) {
    const due = (row: Message) => row.room === room;
    return { ...here, path: `/api/updates?room=${room}&`, due };
  }
  if (n < 12) {
    const due = (row: Message) => row.replyTo === root;
    return { ...here, path: `/api/updates?reply_to=${root}&`, due };
  }
  if (n < 15) {
    const due = (row: Message) => row.rootId === root;
    return { ...here, waits: false, path: `/api/thread/${root}?`, due };
  }
  if (n < 18) return { ...far, path: '/api/mesh/updates?', places: true };
  return { ...far, path: `/api/mesh/boards/${FAR}/updates?` };
}

describe('readers that follow a cursor while others write', () => {
  const random = randomOf(chosenSeed());
  let test: TestBoard;
  let far: TestBoard;
  let mirror: number;
  let writing: boolean;
  let written: boolean;

  before(async () => {
    test = await startBoard({ lifted: true, env: MESH });
    far = await meshBoard(FAR, { lifted: true, limits: GETS });
    for (const room of ROOMS) await publish(test, { room });
    await publish(far);
    mirror = await peerUp(test, far, 'mirror', { content: 'all' });
    await level(test, mirror, far);
  });

  after(async () => {
    await checkLedger(test);
    await test.stop();
    await far.stop();
  });

  const below = (count: number) => Math.floor(random() * count);
  const anybody = () => `10.${below(256)}.${below(256)}.${below(256)}`;

  let raters = 0;
  /** Two votes from one network on one message would be one too many. */
  const another = () => {
    raters += 1;
    return `11.${raters >> 16}.${(raters >> 8) % 256}.${raters % 256}`;
  };

  async function writer(n: number): Promise<number[]> {
    const { url } = n < FAR_WRITERS ? far : test;
    const ids: number[] = [];
    while (writing) {
      const topic = random() < 0.1;
      const to = url === far.url ? 1 : 1 + below(4);
      const vote = random() < 0.3 ? 1 : 0;
      const asked = topic
        ? { ...draft(null), room: ROOMS[below(4)] }
        : { ...draft(to), vote };
      const from = `198.18.2.${n}`;
      const ticket = await ticketFor(url, asked, from);
      const { body } = await post(url, '/write/publish', ticket, from);
      ids.push((body.message as { id: number }).id);
      if (random() < 0.3) await rate(url, to);
    }
    return ids;
  }

  /** A vote alone, which takes no turn among the messages. */
  async function rate(url: string, id: number): Promise<void> {
    const from = another();
    const path = `/api/messages/${id}/votes`;
    const asked = await post(url, `${path}/preview`, { vote: 1 }, from);
    const send = template(asked);
    const { status } = await post(url, path, send, from);
    expect(status).to.be.oneOf([200, 201]);
  }

  async function page(path: string): Promise<Page> {
    const headers = { 'X-Forwarded-For': anybody() };
    const answer = await fetch(`${test.url}${path}`, { headers });
    expect(answer.status, path).to.equal(200);
    return (await answer.json()) as Page;
  }

  async function reader({ path, waits, places }: Cursor): Promise<number[]> {
    const ids: number[] = [];
    let since = 0;
    for (;;) {
      const last = written;
      const limit = 1 + below(30);
      const wait = waits && !last && random() < 0.7 ? '&wait=1' : '';
      const { data, cursor } = await page(
        `${path}since=${since}&limit=${limit}${wait}`,
      );
      ids.push(...data.map(({ id }) => id));
      if (places) expect(cursor).to.be.at.least(since + data.length);
      else expect(cursor).to.equal(data.at(-1)?.id ?? since);
      since = cursor;
      if (last && data.length === 0) return ids;
    }
  }

  const rowsOf = (board: TestBoard): Promise<Message[]> =>
    rows(board).find(Message, { order: { id: 1 } });

  it(`miss nothing and see nothing twice, ${RUN_MS / 1000} s long`, async () => {
    writing = true;
    written = false;
    const stop = setTimeout(() => {
      writing = false;
    }, RUN_MS);
    const cursors = Array.from({ length: READERS }, (_, n) => cursorOf(n));
    const readers = Promise.all(cursors.map(reader));
    readers.catch(() => undefined); // looked at once all is written
    const receipts = await atOnce(WRITERS, writer);
    clearTimeout(stop);
    await level(test, mirror, far);
    const logged = { here: await rowsOf(test), far: await rowsOf(far) };
    await until('all to be readable', async () => {
      return (await rows(test).count(MirrorUpdate)) === logged.far.length;
    });
    written = true;
    const seen = await readers;

    for (const ids of receipts) {
      expect(ids, 'one writer').to.deep.equal([...ids].sort(ascending));
    }
    const own = receipts.slice(FAR_WRITERS).flat();
    const all = [1, 2, 3, 4, ...own].sort(ascending);
    expect(all.length).to.be.at.least(ROOMS.length + WRITERS - FAR_WRITERS);
    expect(all.at(-1), 'ids have no gap').to.equal(all.length);
    expect(logged.here.map(({ id }) => id)).to.deep.equal(all);
    for (const [n, { path, due, of }] of cursors.entries()) {
      const ids = logged[of].filter(due).map(({ id }) => id);
      expect(seen[n], path).to.deep.equal(ids);
    }
    const acked = all.length + logged.far.length;
    await recordFaults({ test: 'B6', faults: acked, acked });
  });
});

function ascending(a: number, b: number): number {
  return a - b;
}
