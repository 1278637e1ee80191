import http from 'node:http';
import net, { type AddressInfo, type LookupFunction } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import {
  PeerClient,
  type PeerClientOptions,
} from '../../../mesh/pull/peer-client.js';

const OPEN = { allowHttp: true, allowPrivate: true };
/** Every special range that a name or a literal could lead into. */
const SPECIAL = [
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:169.254.169.254',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  '::127.0.0.1',
  '3fff::1',
];
const PUBLIC = ['93.184.216.34', '2606:2800:220:1::1'];

type Handler = (req: http.IncomingMessage, res: http.ServerResponse) => void;

/** A `lookup` that answers what a test says, call by call. */
function scripted(...answers: string[][]): LookupFunction {
  let call = 0;
  return (_hostname, _options, callback) => {
    const found = answers[Math.min(call, answers.length - 1)] ?? [];
    call += 1;
    callback(
      null,
      found.map((address) => ({ address, family: net.isIP(address) })),
    );
  };
}

describe('the outbound client', () => {
  let server: http.Server;
  let handler: Handler;
  let hits: string[];
  let base: string;
  const clients: PeerClient[] = [];

  function client(options: Partial<PeerClientOptions> = {}): PeerClient {
    const made = new PeerClient({ ...OPEN, ...options });
    clients.push(made);
    return made;
  }

  beforeEach(async () => {
    hits = [];
    server = http.createServer((req, res) => {
      hits.push(req.url ?? '');
      handler(req, res);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterEach(async () => {
    for (const one of clients.splice(0)) await one.close();
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });

  it('asks for gzip alone and unpacks one layer', async () => {
    let asked: http.IncomingHttpHeaders = {};
    handler = (req, res) => {
      asked = req.headers;
      res.writeHead(200, {
        'Content-Encoding': 'gzip',
        'Set-Cookie': 'who=you',
      });
      res.end(gzipSync('packed'));
    };
    for (let n = 0; n < 2; n += 1) {
      const answer = await client().get(base, '/log/feed?from=0');
      expect(answer.ok && answer.value.body.toString()).to.equal('packed');
    }
    expect(asked['accept-encoding']).to.equal('gzip');
    expect(asked.cookie).to.equal(undefined);
  });

  it('connects to no address that is not public (F6)', async () => {
    handler = (_req, res) => res.end('inside');
    const strict = { allowPrivate: false, timeouts: { connect: 300 } };
    const { port } = new URL(base);
    for (const address of SPECIAL) {
      const literal = address.includes(':') ? `[${address}]` : address;
      const url = URL.canParse(`http://${literal}:${port}`)
        ? new URL(`http://${literal}:${port}`).origin
        : '';
      const direct = await client(strict).get(url, '/');
      expect(direct, address).to.eql({ ok: false, reason: 'address_refused' });
      const named = [
        [address],
        [PUBLIC[0] ?? '', address],
        [address, ...PUBLIC],
      ];
      for (const found of named) {
        const lookup = scripted(found);
        const answer = await client({ ...strict, lookup }).get(
          `http://peer.example:${port}`,
          '/',
        );
        expect(answer, found.join()).to.eql({
          ok: false,
          reason: 'address_refused',
        });
      }
    }
    expect(hits).to.eql([]);
  });

  it('uses the very addresses it has checked (F6, rebinding)', async () => {
    handler = (_req, res) => res.end('inside');
    const { port } = new URL(base);
    let calls = 0;
    const inner = scripted(['127.0.0.1'], ['127.0.0.1']);
    const lookup: LookupFunction = (hostname, options, callback) => {
      calls += 1;
      inner(hostname, options, callback);
    };
    const open = client({ lookup });
    const answer = await open.get(`http://peer.example:${port}`, '/');
    expect(answer.ok).to.equal(true);
    expect(calls).to.equal(1);
    const strict = client({
      allowPrivate: false,
      lookup: scripted([], ['127.0.0.1']),
    });
    const none = await strict.get(`http://peer.example:${port}`, '/');
    expect(none).to.eql({ ok: false, reason: 'address_refused' });
  });

  it('follows no redirect of any kind (F5)', async () => {
    const targets = [
      'http://127.0.0.1:1/',
      'http://[::1]:1/',
      'http://169.254.169.254/latest/meta-data',
      'file:///etc/passwd',
      '/log/feed',
      '//127.0.0.1:1/x',
    ];
    for (const status of [301, 302, 303, 307, 308, 300, 304]) {
      for (const location of targets) {
        handler = (_req, res) => {
          res.writeHead(status, {
            Location: location,
            Refresh: `0; ${location}`,
          });
          res.end();
        };
        hits = [];
        const answer = await client().get(base, '/start');
        expect(answer).to.eql({ ok: false, reason: 'redirected' });
        expect(hits).to.eql(['/start']);
      }
    }
  });

  it('asks only below the base URL it was given', async () => {
    handler = (_req, res) => res.end('x');
    for (const path of [
      'http://127.0.0.1:1/',
      '//evil.example/',
      '/\\evil.example/',
      'relative',
      '/a/../b',
      '/a b',
      '/x#y',
      '',
    ]) {
      const answer = await client().get(base, path);
      expect(answer, path).to.eql({ ok: false, reason: 'bad_url' });
    }
    for (const url of [
      `${base}/`,
      `${base}/path`,
      'ftp://board.example',
      'http://user@board.example',
      'board.example',
      '',
    ]) {
      const answer = await client().get(url, '/');
      expect(answer, url).to.eql({ ok: false, reason: 'bad_url' });
    }
    const secure = client({ allowHttp: false });
    expect(await secure.get(base, '/')).to.eql({
      ok: false,
      reason: 'bad_url',
    });
    expect(hits).to.eql([]);
  });

  it('stops at 2 MiB on the wire, announced or not (F3)', async () => {
    let sent = 0;
    handler = (_req, res) => {
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
    const endless = await client().get(base, '/log/feed');
    expect(endless).to.eql({ ok: false, reason: 'too_large' });
    expect(sent).to.be.lessThan(16_777_216);
    handler = (_req, res) => {
      res.writeHead(200, { 'Content-Length': 1_000_000_000 });
      res.flushHeaders();
    };
    const announced = await client().get(base, '/log/feed');
    expect(announced).to.eql({ ok: false, reason: 'too_large' });
  });

  it('stops at 8 MiB unpacked and takes no stacked encodings (F13)', async () => {
    const bomb = gzipSync(Buffer.alloc(512 * 1024 * 1024));
    const cases: [string | string[], Buffer, string][] = [
      ['gzip', bomb, 'too_large'],
      ['gzip', Buffer.from('no gzip at all'), 'bad_encoding'],
      ['gzip', bomb.subarray(0, 1000), 'bad_encoding'],
      ['gzip, gzip', gzipSync(gzipSync('x')), 'bad_encoding'],
      ['br', Buffer.from('x'), 'bad_encoding'],
      [Array(500).fill('gzip').join(', '), gzipSync('x'), 'bad_encoding'],
    ];
    const before = process.memoryUsage().rss;
    for (const [encoding, body, reason] of cases) {
      handler = (_req, res) => {
        res.writeHead(200, { 'Content-Encoding': encoding });
        res.end(body);
      };
      const answer = await client().get(base, '/log/feed');
      expect(answer).to.eql({ ok: false, reason });
    }
    handler = (_req, res) => {
      res.writeHead(200, {
        'Content-Encoding': Array(5000).fill('gzip').join(', '),
      });
      res.end();
    };
    const stacked = await client().get(base, '/log/feed');
    expect(stacked.ok).to.equal(false);
    expect(process.memoryUsage().rss - before).to.be.lessThan(67_108_864);
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
      handler = drip;
      const started = performance.now();
      const asked = client({ timeouts });
      const answers = await Promise.all(
        [1, 2, 3, 4, 5].map(() => asked.get(base, '/log/feed')),
      );
      for (const answer of answers) {
        expect(answer).to.eql({ ok: false, reason: 'timeout' });
      }
      expect(performance.now() - started).to.be.lessThan(3000);
    }
  });

  it('hands errors over as answers and a wish to stop as one', async () => {
    handler = (_req, res) => {
      res.writeHead(409, { 'Content-Type': 'application/json' });
      res.end('{"error":"cursor_ahead"}');
    };
    const answer = await client().get(base, '/log/feed');
    expect(answer.ok && answer.value.status).to.equal(409);
    handler = () => {};
    const stopper = new AbortController();
    const held = client().get(base, '/wait', { signal: stopper.signal });
    stopper.abort();
    expect(await held).to.eql({ ok: false, reason: 'stopped' });
    const closed = await client().get('http://127.0.0.1:1', '/');
    expect(closed).to.eql({ ok: false, reason: 'unreachable' });
  });
});
