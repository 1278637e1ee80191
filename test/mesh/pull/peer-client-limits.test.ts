import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip, gzipSync } from 'node:zlib';
import { recordFaults } from '../../faults/report.js';
import { FULL, within } from '../../support/full.js';
import { givenEach } from '../../support/hooks.js';
import { until } from '../../support/until.js';
import type { Asked, Told } from './client-process.js';
import { type Handler, outbound } from './outbound.js';

/** Of each kind of answer that does not end. */
const EACH = 7;

/** Bytes that a body may have unpacked (spec/mesh.md §B6). */
const LARGEST = 8 * 1024 * 1024;
/** More than before (spec/operators.md §R5 F13). */
const MOST_MEMORY = 20 * 1024 * 1024;

/** The same gzip, said to hold so many bytes. */
function saying(gzip: Buffer, bytes: number): Buffer {
  const lie = Buffer.from(gzip);
  lie.writeUInt32LE(bytes, lie.length - 4);
  return lie;
}

/** Content-Encoding, body, and the length or the reason that is told. */
type Packed = [encoding: string, body: Buffer, told: string | number];

/** The client in a process of its own, whose memory is not the server's. */
function clientProcess() {
  const child = fork(new URL('client-process.ts', import.meta.url), {
    execArgv: ['--import', '@oxc-node/core/register', '--expose-gc'],
    env: { PATH: process.env.PATH },
  });
  const ask = async (asked: Asked): Promise<Told> => {
    const answered = once(child, 'message');
    child.send(asked);
    const [told] = await answered;
    return told;
  };
  return {
    ask,
    held: async () => {
      const told = await ask({ held: true });
      return 'held' in told ? told.held : Number.NaN;
    },
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

async function zeros(mebibytes: number): Promise<Buffer> {
  const piece = Buffer.alloc(1_048_576);
  const pieces = Readable.from(Array(mebibytes).fill(piece));
  return await buffer(pieces.pipe(createGzip()));
}

describe('what the outbound client takes', () => {
  const out = givenEach(outbound);

  it('stops at 2 MiB on the wire, announced or not (F3)', async () => {
    let sent = 0;
    out.handler = (_req, res) => {
      sent = 0;
      const piece = Buffer.alloc(65_536, 0x20);
      const more = () => {
        while (!res.destroyed && sent < 1_000_000_000) {
          sent += piece.length;
          if (!res.write(piece)) {
            res.once('drain', more);
            return;
          }
        }
      };
      more();
    };
    const endless = await out.client().get(out.base, '/log/feed');
    expect(endless).to.eql({ ok: false, reason: 'too_large' });
    expect(sent).to.be.lessThan(16_777_216);
    out.handler = (_req, res) => {
      res.writeHead(200, { 'Content-Length': 1_000_000_000 });
      res.flushHeaders();
    };
    const announced = await out.client().get(out.base, '/log/feed');
    expect(announced).to.eql({ ok: false, reason: 'too_large' });
    await recordFaults({ test: 'F3 bodies', faults: 2 });
  });

  it('stops at 8 MiB unpacked and takes no stacked encodings (F13)', async () => {
    const bomb = await zeros(FULL ? 1024 : 256);
    const cases: Packed[] = [
      ['gzip', gzipSync(Buffer.alloc(LARGEST + 1)), 'too_large'],
      ['gzip', bomb, 'too_large'],
      ['gzip', saying(bomb, 0), 'too_large'],
      ['gzip', saying(bomb, LARGEST), 'too_large'],
      ['gzip', saying(gzipSync('x'), LARGEST), 'bad_encoding'],
      ['gzip', saying(gzipSync('x'), LARGEST + 1), 'too_large'],
      ['gzip', Buffer.from('no gzip at all'), 'bad_encoding'],
      ['gzip', bomb.subarray(0, 1000), 'bad_encoding'],
      ['gzip, gzip', gzipSync(gzipSync('x')), 'bad_encoding'],
      ['br', Buffer.from('x'), 'bad_encoding'],
      [Array(500).fill('gzip').join(', '), gzipSync('x'), 'bad_encoding'],
      [Array(5000).fill('gzip').join(', '), gzipSync('x'), 'unreachable'],
    ];
    const client = clientProcess();
    try {
      const take = async ([encoding, body, told]: Packed) => {
        out.handler = (_req, res) => {
          res.writeHead(200, { 'Content-Encoding': encoding });
          res.end(body);
        };
        // Told in few words: what is unpacked could be too long to print.
        expect(await client.ask({ get: out.base })).to.eql({ told });
      };
      await take(['gzip', gzipSync('a first page'), 12]);
      const before = await client.held();
      for (const hostile of cases) await take(hostile);
      await until('what they took is given back', async () => {
        return (await client.held()) - before < MOST_MEMORY;
      });
      await take(['gzip', gzipSync(Buffer.alloc(LARGEST)), LARGEST]);
    } finally {
      await client.stop();
    }
    await recordFaults({ test: 'F13 encodings', faults: cases.length });
  });

  it('takes no body of another length than was announced (F13)', async () => {
    const packed = gzipSync('{"protocol":"reserve-mesh/1"}');
    const lengths = Array.from({ length: 10 }, (_, n) => n + 1).flatMap((n) => [
      packed.length + n,
      packed.length - n,
    ]);
    for (const length of lengths) {
      out.handler = (_req, res) => {
        res.writeHead(200, {
          'Content-Encoding': 'gzip',
          'Content-Length': length,
        });
        res.write(packed, () => res.destroy());
      };
      const answer = await out.client().get(out.base, '/log/feed');
      expect(answer.ok, String(length - packed.length)).to.equal(false);
    }
    await recordFaults({ test: 'F13 lengths', faults: lengths.length });
  });

  it('ends drips, stalls and bodies without an end (F4)', async () => {
    const timeouts = { connect: 300, headers: 300, body: 300 };
    const drips: Handler[] = [
      () => {}, // no headers at all
      (_req, res) => {
        res.writeHead(200);
        const timer = setInterval(() => res.write(' '), 20);
        res.once('close', () => clearInterval(timer));
      },
      (req) => {
        req.socket.write('HTTP/1.1 200 OK\r\n');
        const timer = setInterval(() => req.socket.write('X: y\r\n'), 20);
        req.socket.once('close', () => clearInterval(timer));
      },
    ];
    for (const drip of drips) {
      out.handler = drip;
      const started = performance.now();
      const asked = out.client({ timeouts });
      const answers = await Promise.all(
        Array.from({ length: EACH }, () => asked.get(out.base, '/log/feed')),
      );
      for (const answer of answers) {
        expect(answer).to.eql({ ok: false, reason: 'timeout' });
      }
      expect(performance.now() - started).to.be.below(within(3000));
    }
    await recordFaults({ test: 'F4 answers', faults: drips.length * EACH });
  });

  it('hands errors over as answers and a wish to stop as one', async () => {
    out.handler = (_req, res) => {
      res.writeHead(409, { 'Content-Type': 'application/json' });
      res.end('{"error":"cursor_ahead"}');
    };
    const answer = await out.client().get(out.base, '/log/feed');
    expect(answer.ok && answer.value.status).to.equal(409);
    out.handler = () => {};
    const stopper = new AbortController();
    const held = out
      .client()
      .get(out.base, '/wait', { signal: stopper.signal });
    stopper.abort();
    expect(await held).to.eql({ ok: false, reason: 'stopped' });
    const closed = await out.client().get('http://127.0.0.1:1', '/');
    expect(closed).to.eql({ ok: false, reason: 'unreachable' });
  });
});
