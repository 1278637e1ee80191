import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { newGeneration } from '../../../mesh/cli/log-new-generation.js';
import { jobList } from '../../../server/operations/jobs/job-list.js';
import { befriend, nodeOnPort } from '../../mesh/peers/node-on-port.js';
import { publishSigned, register } from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { decideTo } from '../../support/decide.js';
import { openingOf } from '../../support/opening.js';
import { publish } from '../../support/post.js';
import { PostgresServer } from '../../support/postgres-server.js';
import { newFolder } from '../../support/run-folder.js';
import { until } from '../../support/until.js';
import { command } from '../cli/command.js';
import { report, send } from '../moderation/reports/reporting.js';
import { network, rate } from '../votes/rating.js';

const ROLES = new URL('../../../deploy/roles.sql', import.meta.url);
/** What PostgreSQL says of a role that may not do something. */
const REFUSALS = /permission denied|must be (?:able|owner)|only .* can /g;

describe('a node whose role owns no table', () => {
  let server: PostgresServer;
  let folder: string;
  let roles: string;
  let owner: string;
  let runner: string;
  let env: Record<string, string>;

  before(async () => {
    folder = await newFolder();
    roles = await readFile(ROLES, 'utf8');
    server = await PostgresServer.create();
    await server.query(roles);
    owner = server.url('board', 'board_owner');
    runner = server.url('board', 'board');
    const BOARD_SEED = 'b5'.repeat(32);
    env = { DATA_DIR: path.join(folder, 'data'), BOARD_SEED };
  });

  after(async () => {
    await server.remove();
  });

  const refused = async () =>
    (await server.said()).match(REFUSALS)?.length ?? 0;

  const refusal = (text: string, user = 'board') =>
    server.query(text, 'board', user).then(
      () => 'done',
      ({ code }: { code?: string }) => code,
    );

  it('does not start before the owner has made the tables', async () => {
    expect(await openingOf(runner)).to.match(
      /^The role of DATABASE_URL may not change the tables.*run "reserve-board migrate"/,
    );
    const { code, stdout } = await command(['migrate', '--json'], {
      ...env,
      DATABASE_URL: owner,
    });
    expect(code, stdout).to.equal(0);
    expect(await openingOf(runner)).to.equal('opened');
  });

  it('does all that a node does', async () => {
    const before = await refused();
    let a = await nodeOnPort({ env, databaseUrl: runner });
    const b = await nodeOnPort();
    try {
      const { jobs } = a.board.background;
      const name = await befriend(a, b);
      await befriend(b, a);
      const agent = await register(a);
      const poll = { question: 'Which?', options: ['One', 'Two'] };
      const topic = await publish(a, { title: 'Ours', poll });
      await publishSigned(a, agent, { reply_to: topic.message.id });
      await rate(a, topic.message.id, 1, network(9));
      await send(a, report({ message_id: topic.message.id })).expect(201);
      await decideTo.remove(a, topic.message.id);
      await publishSigned(b, await register(b), { body: 'Theirs.' });
      await until('the mirror', async () => {
        const held = await a.board.peerAdmin.holdings(name);
        return held.texts === 1;
      });
      const [mirror] = await server.query<{ id: number }>(
        'SELECT origin_id AS id FROM log_state WHERE origin_id > 0',
      );
      await a.board.context.writes.query('SELECT mirror_analyze($1)', [
        mirror?.id,
      ]);
      for (const job of jobList(a.board.context, async () => ({}))) {
        expect(await jobs.runOnce(job.name), job.name).to.equal('ran');
        const [row] = await server.query<{ error: string | null }>(
          `SELECT error FROM job_run WHERE name = '${job.name}'`,
        );
        expect(row?.error, job.name).to.equal(null);
      }
      await checkLedger(a);
      await backedUp(a);
      const { config } = a.board.context;
      await a.stop();
      await newGeneration(config, { clock: a.clock });
      a = await nodeOnPort({ env, databaseUrl: runner, clock: a.clock });
      await publish(a, { title: 'In the next generation' });
      const { peerAdmin } = a.board;
      await peerAdmin.forget(name);
      const left = await server.query(
        `SELECT 1 FROM pg_class WHERE relname = 'log_entry_${mirror?.id}'`,
      );
      expect(left).to.eql([]);
    } finally {
      await b.stop();
      await a.stop();
    }
    expect(await refused(), await server.said()).to.equal(before);
  });

  async function backedUp({ board }: TestBoard): Promise<void> {
    const backup = path.join(folder, 'backup');
    const { dataDir } = board.context.config;
    const settings = { ...env, DATA_DIR: dataDir, DATABASE_URL: runner };
    const { code, stdout } = await command(['backup', backup, '--json'], {
      ...settings,
      BASE_URL: board.context.config.baseUrl,
    });
    expect(code, stdout).to.equal(0);
  }

  it('cannot change, empty or drop a table, or make one', async () => {
    const tables = await server.query<{ name: string; may: boolean }>(
      `SELECT c.oid::regclass::text AS name,
         pg_has_role('board', c.relowner, 'USAGE')
           OR has_table_privilege('board', c.oid, 'TRUNCATE') AS may
       FROM pg_class c
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
    );
    expect(tables.length).to.be.greaterThan(40);
    expect(tables.filter(({ may }) => may)).to.eql([]);
    for (const text of [
      'DROP TABLE message',
      'TRUNCATE vote CASCADE',
      'ALTER TABLE log_entry ADD more integer',
      'ALTER TABLE message DISABLE TRIGGER ALL',
      'CREATE INDEX ON message (id)',
    ]) {
      expect(await refusal(text), text).to.equal('42501');
    }
    for (const text of [
      'CREATE TABLE more (id integer)',
      'CREATE SCHEMA more',
      'DROP FUNCTION mirror_drop',
      'CREATE FUNCTION more() RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$',
    ]) {
      expect(await refusal(text), text).to.equal('42501');
    }
  });

  it('shares the functions that make and drop partitions with nobody', async () => {
    await server.query('CREATE ROLE stranger LOGIN');
    await server.query('GRANT CONNECT ON DATABASE board TO stranger');
    for (const name of ['mirror_open', 'mirror_drop', 'mirror_analyze']) {
      const text = `SELECT ${name}(7)`;
      expect(await refusal(text, 'stranger'), text).to.equal('42501');
    }
  });

  it('names the table that it may not use, and deploy/roles.sql helps', async () => {
    await server.query('REVOKE UPDATE ON message FROM board');
    expect(await openingOf(runner)).to.match(
      /^The role of DATABASE_URL may not read and write the table message; run deploy\/roles\.sql/,
    );
    await server.query(roles);
    expect(await openingOf(runner)).to.equal('opened');
  });

  it('cannot restore, and its owner can', async () => {
    const backup = path.join(folder, 'backup');
    await server.query("CREATE DATABASE again ENCODING 'UTF8'");
    await server.query(roles, 'again');
    const restored = (user: string) => {
      const DATABASE_URL = server.url('again', user);
      const DATA_DIR = path.join(folder, 'again');
      const settings = { ...env, DATA_DIR, DATABASE_URL };
      return command(['restore', backup, '--no-peers'], settings);
    };
    const refused = await restored('board');
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.include('may not change the tables');
    const done = await restored('board_owner');
    expect(done.code, done.stderr).to.equal(0);
    expect(await openingOf(server.url('again', 'board'))).to.equal('opened');
  });
});
