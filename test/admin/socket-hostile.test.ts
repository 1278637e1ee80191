import { request as httpRequest } from 'node:http';
import { recordFaults } from '../faults/report.js';
import { until } from '../support/until.js';
import { givenDashboards } from './dashboard.js';
import { operator, STAYS } from './operators.js';

describe("The dashboards' socket, to strangers,", () => {
  const { test, moderator, closeAll, dashboard, welcomed } = givenDashboards();

  it('refuses every origin but its own, and whoever is not signed in', async () => {
    const origins = [
      ...['null', 'http://board.test.', 'http://board.test:80', ''],
      ...['http://board.test:8080', 'https://board.test', 'http://BOARD.test'],
      ...['http://evil.test', 'http://sub.board.test', 'http://board.test/'],
      ...['http://board.test@evil.test', 'http://board.test.evil.test'],
      ...['file://', 'http://127.0.0.1', 'http://localhost', 'ws://board.test'],
      ...[
        'http://xn--bord-loa.test',
        'http://bоard.test',
        ' http://board.test',
      ],
      ...['http://board.test http://board.test', '*', 'chrome-extension://x'],
    ].map((origin) => Buffer.from(origin).toString('latin1').trimEnd());
    expect(origins.length).to.be.at.least(20);
    for (const origin of origins.filter((each) => each.trim() === each)) {
      const made = await dashboard({ origin });
      expect(made.refused, origin).to.equal('websocket error');
    }
    for (const options of [
      { origin: null },
      { cookie: '' },
      { cookie: `reserve-operator=${'a'.repeat(43)}` },
      { cookie: `${moderator.cookie}; ${moderator.cookie}` },
    ]) {
      const made = await dashboard(options);
      expect(made.refused, JSON.stringify(options)).not.to.equal(null);
    }
    const fine = await dashboard();
    expect(fine.refused).to.equal(null);
  });

  it('holds 16 of one session open and 64 of one network', async () => {
    const many = async (count: number, cookie: string) => {
      const all = Array.from({ length: count }, () => dashboard({ cookie }));
      const settled = await Promise.all(all);
      return settled.filter(({ refused }) => refused === null);
    };
    expect(await many(20, moderator.cookie)).to.have.length(16);
    for (const count of [16, 16, 16]) {
      const other = await operator(test, 'viewer');
      expect(await many(count, other.cookie)).to.have.length(16);
    }
    const last = await operator(test, 'viewer');
    expect(await many(1, last.cookie)).to.have.length(0);
    closeAll();
    await until('there is room again', async () => {
      return (await many(1, last.cookie)).length === 1;
    });
  });

  it('answers commands as HTTP does', async () => {
    const made = await welcomed();
    const keep = { action: 'keep', id: 1, ...STAYS } as const;
    const kept = await made.ask('decision.record', keep);
    expect(kept).to.have.nested.property('data.decision.operator', 'Mo');
    const conflict = await made.ask('decision.record', keep);
    expect(conflict).to.deep.include({ ok: false, status: 409 });
    for (const [request, status] of [
      [null, 400],
      [{}, 400],
      [{ name: 'nonsense', input: {} }, 404],
      [{ name: '__proto__', input: {} }, 404],
      [{ name: 'queue.list' }, 400],
      [{ name: 'queue.list', input: { x: 1 } }, 400],
      [{ name: 'queue.list', input: {}, x: 1 }, 400],
      [{ name: 'view.save', input: { name: 'a', query: 'a\0b' } }, 400],
      [{ name: 'view.save', input: { name: 'a', query: '\ud800' } }, 400],
      [{ name: 'queue.list', input: Buffer.from('x') }, 400],
      [{ name: 'usefulness.publish', input: { id: 1 } }, 403],
      [{ name: 'session.sign_out', input: {} }, 404],
      [[[[[[[[[[[]]]]]]]]]], 400],
    ] as const) {
      const reply = await made.send(request);
      expect(reply, JSON.stringify(request)).to.deep.include({
        ok: false,
        status,
      });
    }
  });

  it('takes twenty commands a second and no more', async () => {
    const made = await welcomed();
    // All within one second, however long a busy machine takes for them.
    const { now } = performance;
    const second = performance.now();
    performance.now = () => second;
    const asked = Array.from({ length: 60 }, () =>
      made.ask('template.list', {}),
    );
    const replies = await Promise.all(asked).finally(() => {
      performance.now = now;
    });
    const refused = replies.filter(
      (reply) => !reply.ok && reply.status === 429,
    );
    expect(refused).to.have.length(40);
    expect(made.connected).to.equal(true);
  });

  it('survives five hundred malformed packets', async () => {
    const junk = [
      ...['4', '42', '42{', '42/admin', '42/admin,', '42/admin,[', '4x'],
      ...['42/admin,["command"]', '42/admin,[null]', '42/admin,{"a":1}'],
      ...['42/admin,0["command",{}]', '42/admin,99999999999999999999["x"]'],
      ...['451-/admin,["command",{"_placeholder":true,"num":0}]', '46/admin,'],
      ...['4511-/admin,["x"]', '42/admin,["__proto__",1]', '43/admin,7[1]'],
      ...['42/admin,["disconnect"]', '42/admin,["connect"]', '41/admin,'],
      ...['40/other,', '40', '6', '9', '', '42/admin,["command",1,2,3]'],
    ];
    let sent = 0;
    while (sent < 500) {
      const made = await dashboard();
      for (const packet of junk) {
        if (!made.connected) break;
        // The client's own engine puts the first digit in front.
        made.raw.write(packet.slice(1));
        sent += 1;
      }
      made.close();
    }
    const fine = await welcomed();
    expect((await fine.ask('queue.list', {})).ok).to.equal(true);
    await test.as().get('/api/rooms').expect(200);
    await recordFaults({ test: 'G2 packets', faults: sent });
  });

  it('is closed for a message over 64 KiB', async () => {
    const made = await welcomed();
    const big = { name: 'queue.list', input: { room: 'x'.repeat(70_000) } };
    await made.send(big).catch(() => undefined);
    await until('it is closed', () => !made.connected);
  });

  it('leaves offers of other protocols to plain answers', async () => {
    const { hostname, port } = new URL(test.url);
    const status = await new Promise<number>((resolve, reject) => {
      const headers = {
        Connection: 'Upgrade, HTTP2-Settings',
        Upgrade: 'h2c',
        'HTTP2-Settings': 'AAMAAABkAAQAAP__',
        'X-Forwarded-For': '203.0.113.1',
      };
      const path = '/api/rooms';
      httpRequest({ hostname, port, path, headers }, (res) => {
        res.resume();
        resolve(res.statusCode ?? 0);
      })
        .on('error', reject)
        .end();
    });
    expect(status).to.equal(200);
    const polled = await test.get('/admin/socket.io/?EIO=4&transport=polling');
    expect(polled.text).not.to.include('ransport');
  });
});
