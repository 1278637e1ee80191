import pg from 'pg';
import supertest from 'supertest';
import { command, running } from '../server/cli/command.js';
import { givenHome } from '../server/cli/home.js';
import { admin } from '../support/cluster.js';

const LINK = /http:\/\/localhost:(\d+)\/admin\/setup#([A-Za-z0-9_-]{43})/;

describe('reserve-board operator', () => {
  const home = givenHome({ LOG_LEVEL: 'silent' }, { database: true });

  const look = async (port: string, code: string) =>
    await supertest(`http://127.0.0.1:${port}`)
      .post('/admin/api/setup/look')
      .set('Origin', `http://localhost:${port}`)
      .send({ code });

  it('makes links beside a running node, whose start printed one', async () => {
    const board = await running(['start'], home.env, /curl/);
    const [, port = '', first = ''] = LINK.exec(board.lines.join('\n')) ?? [];
    const setup = await look(port, first);
    expect(setup.status, setup.text).to.equal(200);
    expect(setup.body).to.deep.include({
      name: null,
      role: 'admin',
      methods: ['passkey', 'passphrase'],
    });

    const invite = ['operator', 'invite', 'Anna', '--role', 'moderator'];
    const made = await command([...invite, '--json'], {
      ...home.env,
      PORT: port,
    });
    expect(made.code, made.stderr).to.equal(0);
    const answer = JSON.parse(made.stdout);
    expect(answer).to.include({ ok: true, name: 'anna', role: 'moderator' });
    const [, linked, code = ''] = LINK.exec(answer.url) ?? [];
    expect(linked).to.equal(port);
    const invited = await look(port, code);
    expect(invited.body).to.include({ name: 'anna', role: 'moderator' });

    const spoken = await command(invite, { ...home.env, PORT: port });
    expect(spoken.stdout).to.match(LINK);
    expect(spoken.stdout).to.include('Readers see anna beside');
    expect((await look(port, code)).status, 'the older one').to.equal(404);
    const { code: ended, stderr } = await board.stop();
    expect([ended, stderr]).to.deep.equal([0, '']);
  });

  it('prints the link as JSON for programs, and to no log', async () => {
    const board = await running(
      ['start', '--json'],
      { ...home.env, LOG_LEVEL: 'debug' },
      /operator_setup_url/,
    );
    const lines = board.lines.filter((line) => line.includes('setup#'));
    expect(lines).to.have.length(1);
    const facts = JSON.parse(lines[0] ?? '');
    const [, port = '', code = ''] = LINK.exec(facts.operator_setup_url) ?? [];
    await look(port, code);
    const { stdout, stderr } = await board.stop();
    const logged = `${stdout}${stderr}`.replaceAll(lines[0] ?? '', '');
    expect(logged).not.to.include(code);
  });

  it('prints no link when there is an operator', async () => {
    await (await running(['start'], home.env, /curl/)).stop();
    const client = new pg.Client({ connectionString: home.databaseUrl });
    await client.connect();
    await client.query(
      `INSERT INTO operator (id, name, alias, role, state, created_at) VALUES
       ('11111111-1111-4111-8111-111111111111', 'root', 'Warden', 'admin',
        'active', 0)`,
    );
    await client.end();
    const board = await running(['start'], home.env, /curl/);
    expect(board.lines.join('\n')).not.to.include('/admin/setup');
    await board.stop();

    const listed = await command(['operator', 'list', '--json'], home.env);
    expect(JSON.parse(listed.stdout)).to.deep.equal({
      ok: true,
      count: 1,
      operators: [
        {
          id: '11111111-1111-4111-8111-111111111111',
          name: 'root',
          alias: 'Warden',
          role: 'admin',
          state: 'active',
          created_at: '1970-01-01T00:00:00Z',
          credentials: { passkeys: 0, passphrase: false },
          sessions: 0,
          last_seen_at: null,
        },
      ],
    });
    const off = await command(
      ['operator', 'disable', 'root', '--json'],
      home.env,
    );
    expect(JSON.parse(off.stdout).operator).to.include({ state: 'disabled' });
    const text = await command(['operator', 'list'], home.env);
    expect(text.stdout).to.include('root  admin  disabled  as "Warden"');
  });

  it('says what is wrong in one line', async () => {
    await (await running(['start'], home.env, /curl/)).stop();
    const faults: [string[], RegExp][] = [
      [['invite', 'Ro ot', '--role', 'admin'], /The name must be 1 to 32/],
      [['invite', 'root', '--role', 'king'], /--role must be one of/],
      [['disable', 'nobody'], /There is no operator nobody/],
    ];
    for (const [args, expected] of faults) {
      const { code, stderr, stdout } = await command(
        ['operator', ...args],
        home.env,
      );
      expect(code, stdout).to.equal(1);
      expect(stderr.trim().split('\n')).to.have.length(1);
      expect(stderr).to.match(expected);
    }
    const bare = await command(['operator', 'invite', 'root'], home.env);
    expect(bare.code).to.equal(1);
    expect(bare.stderr).to.include('--role');
    const help = await command(['operator', 'invite', '--help'], home.env);
    expect(help.code).to.equal(0);
    expect(help.stdout).to.include('set-up link');
  });

  it('needs a database of this release', async () => {
    const empty = `${home.databaseUrl.replace(/\/[^/?]+(\?|$)/, '/reserve_empty$1')}`;
    await admin('DROP DATABASE IF EXISTS reserve_empty');
    await admin('CREATE DATABASE reserve_empty TEMPLATE template0');
    const { code, stderr } = await command(['operator', 'list'], {
      ...home.env,
      DATABASE_URL: empty,
    });
    await admin('DROP DATABASE reserve_empty WITH (FORCE)');
    expect(code).to.equal(1);
    expect(stderr).to.include('reserve-board migrate');
  });
});
