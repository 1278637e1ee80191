import { ALL } from '../../server/dashboard/all-commands.js';
import { addressOf } from '../../server/dashboard/router.js';
import { OperatorInvite } from '../../server/db/entities/operator.js';
import { recordFaults } from '../faults/report.js';
import { startBoard } from '../support/board.js';
import { givenBoard } from '../support/hooks.js';
import { rows } from '../support/rows.js';
import { device } from './access-link.js';

const HOME = 'https://board.example';

/** Pages that are not the board's, however much they look like it. */
const FOREIGN = [
  ...['null', 'https://evil.test', 'http://board.example', HOME.toUpperCase()],
  ...['https://board.example:443', 'https://board.example:8443'],
  ...['https://board.example.', 'https://board.example.evil.test'],
  ...['https://sub.board.example', 'https://xboard.example'],
  ...['https://board.example/', 'https://board.example@evil.test'],
  ...['https://bоard.example', 'https://xn--bard-5qd.example'],
  ...['https://BOARD.example', ' https://board.example.evil', 'file://'],
  ...['chrome-extension://abc', 'https://board.example, https://evil.test'],
  ...['http://localhost:8080', 'http://127.0.0.1:8080', 'https://[::1]'],
];

describe('pages of other sites (G2)', () => {
  const test = givenBoard({ env: { BASE_URL: HOME } });
  let cookie: string;
  let sessionId: string;

  before(async () => {
    const admin = await device(test, 'admin');
    cookie = admin.cookie ?? '';
    sessionId = admin.sessionId;
  });

  const invite = { name: 'mallory', role: 'admin' };
  const post = (path = '/operators/invite') =>
    test.as().post(`/admin/api${path}`).set('Cookie', cookie);
  const untouched = async () => {
    expect(await rows(test).count(OperatorInvite)).to.equal(0);
  };

  for (const origin of FOREIGN) {
    it(`write nothing from ${origin}`, async () => {
      const header = Buffer.from(origin, 'utf8').toString('latin1');
      const answer = await post().set('Origin', header).send(invite);
      expect(answer.status).to.equal(403);
      expect(answer.body.error).to.equal('forbidden');
      expect(answer.headers).not.to.have.any.keys(
        ...['access-control-allow-origin', 'access-control-allow-credentials'],
      );
      await untouched();
      await recordFaults({ test: 'G2 origin', faults: 1 });
    });
  }

  const sites = ['cross-site', 'same-site', 'none', ''];
  for (const site of sites) {
    it(`write nothing when the browser says "${site}"`, async () => {
      const bare = await post().set('Sec-Fetch-Site', site).send(invite);
      expect(bare.status).to.equal(403);
      const own = post().set('Sec-Fetch-Site', site).set('Origin', HOME);
      expect((await own.send(invite)).status).to.equal(403);
      await untouched();
      await recordFaults({ test: 'G2 site', faults: 2 });
    });
  }

  it('write nothing without an Origin', async () => {
    expect((await post().send(invite)).status).to.equal(403);
    await untouched();
  });

  const forms = [
    ...['text/plain', 'application/x-www-form-urlencoded'],
    ...['multipart/form-data; boundary=x', 'text/plain;application/json'],
    ...['application/json; charset=utf-16', 'application/json;x=1'],
    ...['application/csp-report', ''],
  ];
  for (const type of forms) {
    it(`write nothing by a form of type "${type}"`, async () => {
      const text = JSON.stringify(invite);
      const answer = await post()
        .set('Origin', HOME)
        .set('Content-Type', type)
        .send(text);
      expect(answer.status, answer.text).to.equal(415);
      const foreign = await post()
        .set('Origin', 'https://evil.test')
        .set('Content-Type', type)
        .send(text);
      expect(foreign.status).to.equal(403);
      await untouched();
    });
  }

  it('write nothing by any path, nor with another method', async () => {
    let checked = 0;
    for (const { method, path } of ALL.map(addressOf)) {
      if (method !== 'POST') continue;
      const at = path.replace(':id', sessionId);
      const answer = await post(at)
        .set('Origin', 'https://evil.test')
        .send('{}');
      expect(answer.status, path).to.equal(403);
      for (const other of ['get', 'put', 'patch', 'delete'] as const) {
        const refused = await test
          .as()
          [other](`/admin/api${at}`)
          .set('Cookie', cookie)
          .set('Origin', HOME);
        expect(refused.status, `${other} ${path}`).to.be.oneOf([405, 200]);
        if (refused.status === 200) expect(other).to.equal('get');
      }
      checked += 1;
    }
    expect(checked).to.be.greaterThan(20);
  });

  it('get no leave to, and cannot read', async () => {
    for (const path of ['/operators', '/operators/invite', '/nothing', '']) {
      const preflight = await test
        .as()
        .options(`/admin/api${path}`)
        .set('Origin', 'https://evil.test')
        .set('Access-Control-Request-Method', 'POST');
      const read = await test
        .get(`/admin/api${path}`)
        .set('Origin', 'https://evil.test');
      for (const { headers } of [preflight, read]) {
        const cors = Object.keys(headers).filter((name) =>
          name.startsWith('access-control-'),
        );
        expect(cors, path).to.deep.equal([]);
        expect(headers['cross-origin-resource-policy']).to.equal('same-origin');
      }
    }
  });

  it('but the dashboard itself does', async () => {
    const own = await post('/account/alias')
      .set('Origin', HOME)
      .set('Sec-Fetch-Site', 'same-origin')
      .send({ alias: 'One' });
    expect(own.status, own.text).to.equal(200);
    const vouched = await post('/account/alias')
      .set('Sec-Fetch-Site', 'same-origin')
      .send({ alias: 'Two' });
    expect(vouched.status, vouched.text).to.equal(200);
  });

  it('of a loopback node are those of its two names', async () => {
    const env = { BASE_URL: 'http://127.0.0.1:8080' };
    const local = await startBoard({ env });
    const admin = await device(local, 'admin');
    const from = async (origin: string) => {
      const answer = await local
        .as()
        .post('/admin/api/account/alias')
        .set('Cookie', admin.cookie ?? '')
        .set('Origin', origin)
        .send({ alias: 'Local' });
      return answer.status;
    };
    expect(await from('http://127.0.0.1:8080')).to.equal(200);
    expect(await from('http://localhost:8080')).to.equal(200);
    for (const origin of [
      ...['http://localhost', 'http://localhost:8081', 'http://127.0.0.2:8080'],
      ...['https://localhost:8080', 'http://evil.localhost:8080'],
    ]) {
      expect(await from(origin), origin).to.equal(403);
    }
    await local.stop();
  });
});
