import type { Socket } from 'node:net';
import { BudgetSpend } from '../../../server/db/entities/budget.js';
import { Message } from '../../../server/db/entities/message.js';
import { recordFaults } from '../../faults/report.js';
import { rawExchange } from '../../server/http/harness.js';
import { FULL, within } from '../../support/full.js';
import { rows } from '../../support/rows.js';
import { relayBody } from './hand-in.js';
import { givenLinked } from './linked-boards.js';

const TIMES = {
  requestTimeout: 600,
  headersTimeout: 600,
  connectionsCheckingInterval: 50,
};
const CLOSED_MS = within(12_000);
const DRIP_MS = 10;
const AT_ONCE = FULL ? 200 : 15;

const head = (...headers: string[]) =>
  [
    ...['POST /api/mesh/relay HTTP/1.1', 'Host: board-a.example'],
    ...['Content-Type: application/json', ...headers, '', ''],
  ].join('\r\n');

describe('slow bodies at the relay', () => {
  const scene = givenLinked({ timesA: TIMES });
  const { a } = scene;
  const portOf = () => Number(new URL(a.url).port);

  /** A body that the board takes, a byte for each letter of it. */
  function honest(): string {
    const body = JSON.stringify(relayBody(scene, scene.agent));
    return body.replaceAll('\u2014', '\\u2014');
  }

  const stored = async () => [
    await rows(a).countBy(BudgetSpend, {}),
    await rows(a).countBy(Message, {}),
  ];

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
    const before = await stored();
    const slow = kinds.map(([, feed]) => rawExchange(portOf(), feed()));
    for (const [n, answer] of (await Promise.all(slow)).entries()) {
      const shown = `${kinds[n]?.[0]}: ${answer.text}`;
      expect(answer.status, shown).to.equal(408);
      expect(answer.body.error, shown).to.equal('request_timeout');
      expect(answer.head, shown).to.contain('connection: close');
      expect(answer.ms, shown).to.be.below(CLOSED_MS);
    }
    expect(await stored()).to.deep.equal(before);
    await recordFaults({ test: 'F19 slow', faults: kinds.length });
  });

  it('are not waited for where the declared length is over the limit', async () => {
    const start = head('Content-Length: 65537', 'Connection: close');
    const { status, text } = await rawExchange(portOf(), start);
    expect(status, text).to.equal(413);
  });
});
