import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express from 'express';
import supertest from 'supertest';
import { dashboard, NONCE_PLACEHOLDER } from '../../server/dashboard/ui.js';
import { closeToOtherSites } from '../../server/http/headers.js';
import { setHeaders } from '../../server/http/send.js';
import { errorHandler } from '../../server/site/error-handler.js';
import { rawExchange, rawGet } from '../server/http/harness.js';
import { given, givenBoard } from '../support/hooks.js';
import { newFolder } from '../support/run-folder.js';
import { serving } from '../support/serving.js';

const POLICY =
  /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-([A-Za-z0-9_-]{24})'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'$/;

const LONG = 'let a;'.repeat(1000);

describe('the page at /admin', () => {
  const server = given(async () => {
    const folder = await newFolder();
    const built = path.join(folder, 'built');
    await mkdir(path.join(built, 'assets', '.hidden'), { recursive: true });
    await writeFile(
      path.join(built, 'index.html'),
      `<meta property="csp-nonce" nonce="${NONCE_PLACEHOLDER}"><style nonce="${NONCE_PLACEHOLDER}"></style>`,
    );
    await writeFile(path.join(built, 'assets', 'app-1a2b.js'), 'let a;');
    await writeFile(path.join(built, 'assets', 'big-3c4d.js'), LONG);
    await writeFile(path.join(built, 'assets', '.env'), 'SECRET');
    await writeFile(path.join(built, 'assets', '.hidden', 'x.js'), 'SECRET');
    await writeFile(path.join(built, 'private.txt'), 'SECRET');
    await writeFile(path.join(folder, 'outside.txt'), 'SECRET');
    await symlink(
      path.join(folder, 'nothing.txt'),
      path.join(built, 'assets', 'broken.js'),
    );
    return await served(built);
  });

  it('packs its scripts for whoever unpacks them', async () => {
    const ask = (encoding: string) =>
      supertest(server.url)
        .get('/admin/assets/big-3c4d.js')
        .set('Accept-Encoding', encoding);
    const packed = await ask('gzip');
    expect(packed.headers['content-encoding']).to.equal('gzip');
    expect(packed.headers.vary).to.match(/Accept-Encoding/i);
    expect(packed.headers['cache-control']).to.match(/immutable/);
    expect(packed.text).to.equal(LONG);
    const plain = await ask('identity');
    expect(plain.headers).not.to.have.property('content-encoding');
    expect(plain.headers['content-length']).to.equal(String(LONG.length));
  });

  it('is one document with a nonce of its own, under the policy', async () => {
    const nonces = new Set<string>();
    for (const at of ['', '/', '/setup', '/queue/message:12', '/index.html']) {
      const { status, headers, text } = await supertest(server.url).get(
        `/admin${at}`,
      );
      expect(status, at).to.equal(200);
      const [, nonce = ''] =
        POLICY.exec(headers['content-security-policy'] ?? '') ?? [];
      expect(nonce, at).to.have.length(24);
      expect(text).to.equal(
        `<meta property="csp-nonce" nonce="${nonce}"><style nonce="${nonce}"></style>`,
      );
      expect(headers).to.include({
        'cache-control': 'no-store',
        'content-type': 'text/html; charset=utf-8',
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(headers).not.to.have.property('access-control-allow-origin');
      expect(headers['permissions-policy']).to.include(
        'publickey-credentials-create=(self), publickey-credentials-get=(self)',
      );
      expect(headers['permissions-policy']).to.include('camera=()');
      nonces.add(nonce);
    }
    expect(nonces.size).to.equal(5);
  });

  it('keeps hashed files for ever', async () => {
    const { status, headers, text } = await supertest(server.url).get(
      '/admin/assets/app-1a2b.js',
    );
    expect(status).to.equal(200);
    expect(text).to.equal('let a;');
    expect(headers['cache-control']).to.equal(
      'public, max-age=31536000, immutable',
    );
    expect(headers['content-type']).to.equal('text/javascript; charset=utf-8');
    expect(headers).not.to.have.property('access-control-allow-origin');
  });

  it('gives nothing but what was built into assets/', async () => {
    for (const at of [
      ...['/assets/', '/assets', '/assets/none.js', '/assets/.env'],
      ...['/assets/.hidden/x.js', '/assets/../private.txt'],
      ...['/assets/..%2fprivate.txt', '/assets/%2e%2e/private.txt'],
      ...['/assets/..%5cprivate.txt', '/assets/%2e%2e%2f%2e%2e%2foutside.txt'],
      ...['/assets/....//outside.txt', '/assets//etc/passwd'],
      ...['/assets/%00', '/assets/%', '/assets/app-1a2b.js/'],
      ...['/assets/broken.js', '/../outside.txt', '/private.txt'],
    ]) {
      // As it is: clients tidy such paths up.
      const asked = rawGet(`/admin${at}`, 'Connection: close');
      const { text } = await rawExchange(server.port, asked);
      expect(text, at).not.to.include('SECRET');
      expect(text, at).not.to.include('root:');
      expect(text, at).to.match(/^HTTP\/1\.1 (?:200|400|403|404) /);
      if (at.startsWith('/assets/') && !at.includes('private')) {
        expect(text, at).to.match(/^HTTP\/1\.1 40[034] /);
      }
    }
  });

  it('is read only', async () => {
    for (const method of ['post', 'put', 'delete'] as const) {
      const { status } = await supertest(server.url)[method]('/admin/queue');
      expect(status, method).to.equal(405);
    }
    const head = await supertest(server.url).head('/admin').expect(200);
    expect(head.text ?? '').to.equal('');
  });
});

describe('a board without a built dashboard', () => {
  const test = givenBoard();
  const server = given(() => served(path.join(tmpdir(), 'no-such-folder')));

  it('says how to build it', async () => {
    const answer = await supertest(server.url).get('/admin').expect(503);
    expect(answer.headers['content-type']).to.equal('text/html; charset=utf-8');
    expect(answer.text).to.include('<h1>The dashboard is not built</h1>');
    expect(answer.text).to.include('npm run build');
    const asset = await supertest(server.url).get('/admin/assets/app.js');
    expect(asset.status).to.equal(404);
  });

  it('answers below /admin/api as JSON, uncached, and only there', async () => {
    const missing = await test.as().get('/admin/api/nothing').expect(404);
    expect(missing.body.error).to.equal('not_found');
    expect(missing.headers['cache-control']).to.equal('no-store');
    const state = await test.as().get('/admin/api/access').expect(200);
    expect(state.body).to.deep.equal({
      signed_in: false,
      methods: ['passphrase'],
      board: { name: 'board.test', title: 'Reserve Board' },
    });
    expect(state.headers['cache-control']).to.equal('no-store');
    expect(state.headers).not.to.have.any.keys(
      ...['access-control-allow-origin', 'set-cookie', 'etag'],
    );
    for (const other of ['/administrator', '/Admin', '/admins/api']) {
      const { headers } = await test.as().get(other);
      expect(headers['access-control-allow-origin'], other).to.equal('*');
    }
  });

  it('counts no request of an operator among the readers', async () => {
    const before = await test.as().get('/api/stats');
    for (let n = 0; n < 5; n += 1) await test.as().get('/admin/api/access');
    const after = await test.as().get('/api/stats');
    expect(after.text).not.to.include('/admin');
    expect(after.body.reads ?? {}).to.deep.equal(before.body.reads ?? {});
  });
});

async function served(built: string) {
  const app = express();
  app.use('/admin', (req, res, next) => {
    closeToOtherSites(req);
    setHeaders(req, res, 'json');
    next();
  });
  app.use('/admin', dashboard(built));
  app.use(errorHandler(() => {}));
  return await serving(createServer(app));
}
