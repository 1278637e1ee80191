import type { Socket } from 'node:net';
import { expect } from 'chai';
import { BudgetSpend } from '../../../server/db/entities/budget.js';
import { Message } from '../../../server/db/entities/message.js';
import { recordFaults } from '../../faults/report.js';
import { type RawAnswer, rawExchange } from '../../server/http/harness.js';
import { FULL, within } from '../../support/full.js';
import { rows } from '../../support/rows.js';
import { until } from '../../support/until.js';
import { handIn, relayBody } from './hand-in.js';
import { givenLinked } from './linked-boards.js';

const TIMES = {
  requestTimeout: 600,
  headersTimeout: 600,
  connectionsCheckingInterval: 50,
};
/** Nothing ends by itself while a test runs. */
const UNENDING = { requestTimeout: 3_600_000, headersTimeout: 3_600_000 };
const CLOSED_MS = within(12_000);
const DRIP_MS = 10;
/** Of each kind. */
const AT_ONCE = FULL ? 200 : 15;
/** What one network may hold open (spec/operators.md §R6.1). */
const MOST = 512;
const DIALED_AT_ONCE = 64;
/** A network that is no proxy: its connections are its own. */
const STRANGER = '127.0.0.5';

const head = (...headers: string[]) =>
  [
    ...['POST /api/mesh/relay HTTP/1.1', 'Host: board-a.example'],
    ...['Content-Type: application/json', ...headers, '', ''],
  ].join('\r\n');

type Scene = ReturnType<typeof givenLinked>;

describe('slow bodies at the relay', () => {
  /** What is spent, and how many messages become of it. */
  async function spentBy({ a }: Scene, work: () => Promise<void>) {
    const counts = async () => [
      await rows(a).countBy(BudgetSpend, {}),
      await rows(a).countBy(Message, {}),
    ];
    const before = await counts();
    await work();
    return (await counts()).map((n, at) => n - (before[at] ?? 0));
  }

  const portOf = ({ a }: Scene) => Number(new URL(a.url).port);

  /** A body that the board takes, a byte for each letter of it. */
  function bodyOf(scene: Scene): string {
    const body = JSON.stringify(relayBody(scene, scene.agent));
    return body.replaceAll('\u2014', '\\u2014');
  }

  describe('that do not come in time', () => {
    const scene = givenLinked({ timesA: TIMES });
    const honest = () => bodyOf(scene);

    /** Sends a piece every few ms until the board ends the connection. */
    function dripped(start: string, piece: (nth: number) => string) {
      return (socket: Socket) => {
        socket.write(start);
        let nth = 0;
        const drip = setInterval(() => {
          socket.write(piece(nth));
          nth += 1;
        }, DRIP_MS);
        const end = () => clearInterval(drip);
        socket.on('end', end).on('close', end);
      };
    }

    const SLOW: Record<string, () => string | ((socket: Socket) => void)> = {
      'a declared length that never comes': () => head('Content-Length: 4000'),
      'a body that stops in its middle': () => {
        const body = honest();
        const half = body.slice(0, body.length / 2);
        return head(`Content-Length: ${body.length}`) + half;
      },
      'a body of which the last byte is missing': () => {
        const body = honest();
        return head(`Content-Length: ${body.length}`) + body.slice(0, -1);
      },
      'chunks without the last one': () => {
        const body = honest();
        const size = body.length.toString(16);
        return `${head('Transfer-Encoding: chunked')}${size}\r\n${body}\r\n`;
      },
      'bytes that drip': () => {
        const body = honest().padEnd(60_000);
        const start = head('Content-Length: 60000');
        return dripped(start, (nth) => body[nth] ?? ' ');
      },
      'chunks that drip': () => {
        const body = honest();
        const start = head('Transfer-Encoding: chunked');
        return dripped(start, (nth) => `1\r\n${body[nth] ?? ' '}\r\n`);
      },
      'a body that was asked for and never comes': () =>
        head('Content-Length: 4000', 'Expect: 100-continue'),
    };

    it('are refused and cut off, each kind of them', async () => {
      const kinds = Object.entries(SLOW).flatMap((it) =>
        Array<typeof it>(AT_ONCE).fill(it),
      );
      const spent = await spentBy(scene, async () => {
        const slow = kinds.map(([, feed]) =>
          rawExchange(portOf(scene), feed()),
        );
        for (const [n, answer] of (await Promise.all(slow)).entries()) {
          const shown = `${kinds[n]?.[0]}: ${answer.text}`;
          expect(answer.status, shown).to.equal(408);
          expect(answer.body.error, shown).to.equal('request_timeout');
          expect(answer.head, shown).to.contain('connection: close');
          expect(answer.ms, shown).to.be.below(CLOSED_MS);
        }
      });
      expect(spent).to.deep.equal([0, 0]);
      await recordFaults({ test: 'F19 slow', faults: kinds.length });
    });
  });

  describe('of one network', () => {
    const scene = givenLinked({ timesA: UNENDING });
    const open: Socket[] = [];
    afterEach(() => {
      for (const socket of open.splice(0)) socket.destroy();
    });

    /** Opens a connection with a beginning; ends when the board ends it. */
    function begun(text: string, from: string) {
      let opened: () => void;
      const isOpen = new Promise<void>((resolve) => {
        opened = resolve;
      });
      const answer = rawExchange(
        portOf(scene),
        (socket) => {
          open.push(socket);
          socket.write(text, () => opened());
        },
        from,
      );
      return { isOpen, answer };
    }

    it('are not waited for where the declared length is over the limit', async () => {
      const start = head('Content-Length: 65537', 'Connection: close');
      const { status, text } = await begun(start, STRANGER).answer;
      expect(status, text).to.equal(413);
    });

    it('take its own places only, and one that comes to its end is published', async () => {
      const request = () => {
        const body = bodyOf(scene);
        return (
          head(`Content-Length: ${body.length}`, 'Connection: close') + body
        );
      };
      const whole = request();
      const half = whole.length - 1000;
      const late = begun(whole.slice(0, half), STRANGER);
      await late.isOpen;
      const rest: Promise<RawAnswer>[] = [];
      const spent = await spentBy(scene, async () => {
        while (open.length < MOST) {
          const places = Math.min(DIALED_AT_ONCE, MOST - open.length);
          const few = Array.from({ length: places }, () =>
            begun(head('Content-Length: 4000'), STRANGER),
          );
          await Promise.all(few.map(({ isOpen }) => isOpen));
          rest.push(...few.map(({ answer }) => answer));
        }
        const { status, text } = await begun(request(), STRANGER).answer;
        expect(status, text).to.equal(429);
      });
      expect(spent).to.deep.equal([0, 0]);
      // A board of another network is served, and so is the late one.
      const other = await handIn(scene, scene.agent);
      expect(other.status, other.text).to.equal(201);
      open[0]?.write(whole.slice(half));
      const { status, text } = await late.answer;
      expect(status, text).to.equal(201);
      for (const socket of open) socket.destroy();
      await Promise.all(rest);
      await until('a place to be free again', async () => {
        const again = await begun(request(), STRANGER).answer;
        return again.status === 201;
      });
      await recordFaults({ test: 'F19 slow: places', faults: MOST });
    });
  });
});
