import { givenBoard } from '../support/hooks.js';
import { Browser } from './access-browser.js';
import { device, inviteCode } from './access-link.js';

type Device = Awaited<ReturnType<typeof device>>;

describe('a set-up link ends with the right of who made it', () => {
  const test = givenBoard();
  const made = async (by: Browser, name: string, role = 'admin') => {
    const { status, body } = await by.post('/operators/invite', { name, role });
    expect(status).to.equal(201);
    return new URL(body.url).hash.slice(1);
  };
  const look = async (code: string) =>
    (await new Browser(test).post('/setup/look', { code })).status;
  const links = async (by: Browser) => {
    const { body } = await by.get('/operators');
    return body.invites as { name: string; made_by: string | null }[];
  };
  const state = async (by: Browser, { operatorId }: Device) => {
    const { body } = await by.get('/operators');
    const accounts = body.data as { id: string; state: string }[];
    return accounts.find(({ id }) => id === operatorId)?.state;
  };

  it('or with the word of an admin', async () => {
    const boss = await device(test, 'admin');
    const carl = await made(boss, 'carl', 'viewer');
    const dora = await made(boss, 'dora', 'viewer');
    const open = await links(boss);
    expect(open.map(({ name }) => name)).to.deep.equal(['carl', 'dora']);
    expect(JSON.stringify(open)).not.to.include(carl);
    const cancel = () => boss.post('/operators/invites/carl/cancel');
    expect((await cancel()).status).to.equal(200);
    expect((await cancel()).status).to.equal(404);
    expect([await look(carl), await look(dora)]).to.deep.equal([404, 200]);
  });

  const lost = [
    ['is disabled', '/disable', {}],
    ['becomes a moderator', '/role', { role: 'moderator' }],
    ['becomes a viewer', '/role', { role: 'viewer' }],
  ] as const;
  for (const [n, [what, path, body]] of lost.entries()) {
    it(`and so do those for it, when it ${what}`, async () => {
      const boss = await device(test, 'admin');
      const rogue = await device(test, 'admin', `rogue-${n}`);
      const own = await made(rogue, `rogue-${n}`);
      const helper = await made(rogue, `helper-${n}`, 'viewer');
      const other = await made(boss, `other-${n}`);
      await boss.post(`/operators/${rogue.operatorId}${path}`, body);
      expect(await look(own)).to.equal(404);
      expect(await look(helper)).to.equal(404);
      expect(await look(other)).to.equal(200);
      const names = (await links(boss)).map(({ name }) => name);
      expect(names).to.include(`other-${n}`);
      expect(names).not.to.include.members([`rogue-${n}`, `helper-${n}`]);
    });
  }

  it('also where another admin made it for the disabled account', async () => {
    const boss = await device(test, 'admin');
    const rogue = await device(test, 'admin', 'rogue-x');
    const before = await made(boss, 'rogue-x');
    await boss.post(`/operators/${rogue.operatorId}/disable`, {});
    expect(await look(before)).to.equal(404);
    const after = await made(boss, 'rogue-x');
    expect(await look(after)).to.equal(200);
    expect(await state(boss, rogue)).to.equal('disabled');
  });

  it('and names its maker in the list; the command line is none', async () => {
    const boss = await device(test, 'admin', 'boss');
    await made(boss, 'mia', 'viewer');
    await inviteCode(test, 'max', 'viewer');
    const list = await links(boss);
    const maker = (name: string) =>
      list.find((it) => it.name === name)?.made_by;
    expect(maker('mia')).to.equal('boss');
    expect(maker('max')).to.equal(null);
  });

  it('however many make and disable at once', async () => {
    const boss = await device(test, 'admin');
    const rogue = await device(test, 'admin', 'rogue-r');
    const asked = await Promise.all([
      ...[...Array(6).keys()].map((n) =>
        rogue.post('/operators/invite', { name: `race-${n}`, role: 'admin' }),
      ),
      boss.post(`/operators/${rogue.operatorId}/disable`, {}),
      ...[...Array(6).keys()].map((n) =>
        rogue.post('/operators/invite', { name: `late-${n}`, role: 'admin' }),
      ),
    ]);
    for (const { status } of asked) {
      expect(status).to.be.oneOf([200, 201, 401, 403]);
    }
    const left = (await links(boss)).filter((it) => it.made_by === 'rogue-r');
    expect(left).to.deep.equal([]);
    const names = (await links(boss)).map(({ name }) => name);
    expect(names.filter((it) => /^(?:race|late)-/.test(it))).to.deep.equal([]);
  });
});
