import type http from 'node:http';
import type { LookupFunction } from 'node:net';
import { gzipSync } from 'node:zlib';
import {
  AddressRefused,
  isPublicAddress,
} from '../../../mesh/pull/fetch/peer-address.js';
import { vettedConnector } from '../../../mesh/pull/fetch/vetted-agent.js';
import { recordFaults } from '../../faults/report.js';
import { givenEach } from '../../support/hooks.js';
import { PUBLIC, SPECIAL, scripted } from './addresses.js';
import { outbound } from './outbound.js';

describe('the outbound client', () => {
  const out = givenEach(outbound);

  it('asks for gzip alone and unpacks one layer', async () => {
    let asked: http.IncomingHttpHeaders = {};
    out.handler = (req, res) => {
      asked = req.headers;
      res.writeHead(200, {
        'Content-Encoding': 'gzip',
        'Set-Cookie': 'who=you',
      });
      res.end(gzipSync('packed'));
    };
    for (let n = 0; n < 2; n += 1) {
      const answer = await out.client().get(out.base, '/log/feed?from=0');
      expect(answer.ok && answer.value.body.toString()).to.equal('packed');
    }
    expect(asked['accept-encoding']).to.equal('gzip');
    expect(asked.cookie).to.equal(undefined);
  });

  it('connects to no address that is not public (F6)', async () => {
    out.handler = (_req, res) => res.end('inside');
    const strict = { allowPrivate: false, timeouts: { connect: 300 } };
    const { port } = new URL(out.base);
    for (const address of SPECIAL) {
      const literal = address.includes(':') ? `[${address}]` : address;
      const url = URL.canParse(`http://${literal}:${port}`)
        ? new URL(`http://${literal}:${port}`).origin
        : '';
      const direct = await out.client(strict).get(url, '/');
      expect(direct, address).to.eql({ ok: false, reason: 'address_refused' });
      const named = [
        [address],
        [PUBLIC[0] ?? '', address],
        [address, ...PUBLIC],
      ];
      for (const found of named) {
        const lookup = scripted(found);
        const answer = await out
          .client({ ...strict, lookup })
          .get(`http://peer.example:${port}`, '/');
        expect(answer, found.join()).to.eql({
          ok: false,
          reason: 'address_refused',
        });
      }
    }
    expect(out.hits).to.eql([]);
    await recordFaults({ test: 'F6 addresses', faults: 4 * SPECIAL.length });
  });

  it('uses the very addresses it has checked (F6, rebinding)', async () => {
    out.handler = (_req, res) => res.end('inside');
    const { port } = new URL(out.base);
    let calls = 0;
    const inner = scripted(['127.0.0.1'], ['127.0.0.1']);
    const lookup: LookupFunction = (hostname, options, callback) => {
      calls += 1;
      inner(hostname, options, callback);
    };
    const open = out.client({ lookup });
    const answer = await open.get(`http://peer.example:${port}`, '/');
    expect(answer.ok).to.equal(true);
    expect(calls).to.equal(1);
    const strict = out.client({
      allowPrivate: false,
      lookup: scripted([], ['127.0.0.1']),
    });
    const none = await strict.get(`http://peer.example:${port}`, '/');
    expect(none).to.eql({ ok: false, reason: 'address_refused' });
  });

  it('keeps no socket to what is not public, whatever was looked up', async () => {
    const connect = vettedConnector({
      lookup: scripted(['127.0.0.1']), // as a look-up that vets nothing
      isAllowed: isPublicAddress,
      timeout: 3000,
    });
    const { port } = new URL(out.base);
    const target = { hostname: 'peer.example', protocol: 'http:', port };
    const error = await new Promise((resolve) => {
      connect(target, (...[refusal]) => resolve(refusal));
    });
    expect(error).to.be.instanceOf(AddressRefused);
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
    const statuses = [301, 302, 303, 307, 308, 300, 304];
    for (const status of statuses) {
      for (const location of targets) {
        out.handler = (_req, res) => {
          res.writeHead(status, {
            Location: location,
            Refresh: `0; ${location}`,
          });
          res.end();
        };
        out.hits = [];
        const answer = await out.client().get(out.base, '/start');
        expect(answer).to.eql({ ok: false, reason: 'redirected' });
        expect(out.hits).to.eql(['/start']);
      }
    }
    await recordFaults({
      test: 'F5',
      faults: statuses.length * targets.length,
    });
  });

  it('asks only below the base URL it was given', async () => {
    out.handler = (_req, res) => res.end('x');
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
      const answer = await out.client().get(out.base, path);
      expect(answer, path).to.eql({ ok: false, reason: 'bad_url' });
    }
    for (const url of [
      `${out.base}/`,
      `${out.base}/path`,
      'ftp://board.example',
      'http://user@board.example',
      'board.example',
      '',
    ]) {
      const answer = await out.client().get(url, '/');
      expect(answer, url).to.eql({ ok: false, reason: 'bad_url' });
    }
    const secure = out.client({ allowHttp: false });
    expect(await secure.get(out.base, '/')).to.eql({
      ok: false,
      reason: 'bad_url',
    });
    expect(out.hits).to.eql([]);
  });
});
