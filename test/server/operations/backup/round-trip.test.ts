import { cp, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { failureLines } from '../../../../server/cli/failure.js';
import { headFile } from '../../../../server/ledger/head-file.js';
import type { Manifest } from '../../../../server/operations/backup/manifest.js';
import { operator } from '../../../admin/operators.js';
import { recordFaults } from '../../../faults/report.js';
import { publishSigned, register } from '../../../support/agent.js';
import { SEED, startBoard } from '../../../support/board.js';
import { checkLedger } from '../../../support/check-ledger.js';
import { decideTo } from '../../../support/decide.js';
import { FULL } from '../../../support/full.js';
import { given, givenBoard } from '../../../support/hooks.js';
import { filled, preview, publish } from '../../../support/post.js';
import { chosenSeed, randomUUID } from '../../../support/random.js';
import { newFolder } from '../../../support/run-folder.js';
import { command } from '../../cli/command.js';
import { report, send } from '../../moderation/reports/reporting.js';
import { network, rate } from '../../votes/rating.js';
import {
  contentsOf,
  EmptySite,
  givenBackup,
  settingsOf,
  withClient,
} from './site.js';
import { type Spoil, spoils } from './spoils.js';

/** Reserve Board's own words for a text that needs care in COPY. */
const AWKWARD = 'tab\there, \\N, back\\slash, \u{1f980}, "quotes"\r\nend\\.';

describe('a backup and its restore', () => {
  const test = givenBoard({ lifted: true });
  const site = given(() => EmptySite.make());
  let folder: string;
  let backup: string;
  let manifest: Manifest;
  let kept: Record<string, string[]>;
  let exported: string;
  let retry: Record<string, unknown>;
  const requestId = randomUUID();

  before(async () => {
    folder = await newFolder();
    backup = path.join(folder, 'one');
    await furnish();
    const env = settingsOf(test);
    // What it has counted is written now, and not while both are compared.
    await test.board.context.telemetry.flush();
    const made = await command(['backup', backup, '--json'], env);
    expect(made.code, made.stderr).to.equal(0);
    manifest = JSON.parse(
      await readFile(path.join(backup, 'manifest.json'), 'utf8'),
    );
    expect(JSON.parse(made.stdout)).to.include({
      ok: true,
      folder: backup,
      log_size: manifest.log.size,
      tables: manifest.tables.length,
    });
    const names = manifest.tables.map(({ name }) => name);
    const { job_run: _, ...after } = await contentsOf(test.databaseUrl, names);
    // The events of dashboards go on being numbered by themselves.
    kept = Object.fromEntries(
      Object.entries(after).filter(([name]) => !/^admin_|stream/.test(name)),
    );
    exported = (await test.as().get('/all.txt')).text;
    await publish(test, { body: 'After the backup.' });
  });

  async function furnish(): Promise<void> {
    const poll = { question: 'Which?', options: ['a', 'b'] };
    await publish(test, { title: 'A topic', body: AWKWARD, poll });
    const replied = await preview(test, {
      reply_to: 1,
      body: 'Again, please.',
      request_id: requestId,
    });
    retry = filled(replied);
    await test.as().post('/write/publish').send(retry).expect(201);
    const agent = await register(test);
    await publishSigned(test, agent, { reply_to: 1, body: 'Signed.' });
    await publish(test, { title: 'Gone', body: 'To be removed.' });
    await publish(test, { title: 'Hidden', body: 'By decision.' });
    await decideTo.remove(test, 4);
    await decideTo.hide(test, 5);
    await rate(test, 1, 1, network(1));
    await send(test, report({ detail: 'For operators only.' })).expect(201);
    await operator(test, 'admin', 'Ada');
  }

  it('holds every table but those that open or count something', async () => {
    const tables = await withClient(test.databaseUrl, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        `SELECT c.relname AS name FROM pg_class c
         WHERE c.relnamespace = 'public'::regnamespace
           AND c.relkind IN ('r', 'p') AND NOT c.relispartition`,
      );
      return rows.map(({ name }) => name);
    });
    const held = manifest.tables.map(({ name }) => name);
    expect([...held, ...manifest.left_out, 'migrations']).to.have.members(
      tables,
    );
    expect(manifest.left_out).to.include.members([
      ...['day_key', 'operator_session', 'operator_invite', 'budget_spend'],
      ...['ticket', 'budget_head', 'challenge_lock'],
    ]);
    const rows = Object.fromEntries(
      manifest.tables.map((table) => [table.name, table.rows]),
    );
    expect(rows).to.include({ message: 5, decision: 2, report: 1, vote: 1 });
    expect(rows).to.include({ operator: 1, sealed_content: 1, poll: 1 });
  });

  it('is for its owner alone and holds no seed', async () => {
    expect((await stat(backup)).mode & 0o777).to.equal(0o700);
    const names = await readdir(backup, { recursive: true });
    for (const name of names) {
      const found = await stat(path.join(backup, name));
      const mode = found.isDirectory() ? 0o700 : 0o600;
      expect(found.mode & 0o777, name).to.equal(mode);
      if (!found.isFile()) continue;
      const bytes = await readFile(path.join(backup, name));
      expect(bytes.includes(SEED), name).to.equal(false);
    }
    expect(await readdir(folder)).to.deep.equal(['one']);
  });

  it('comes back whole, closed until a peer answered or none is awaited', async () => {
    const { env } = site;
    const done = await command(['restore', backup, '--json'], env);
    expect(done.code, done.stderr).to.equal(0);
    expect(JSON.parse(done.stdout)).to.include({
      ok: true,
      waits_for_peers: true,
      missing_entries: 0,
    });
    expect(await contentsOf(site.url, Object.keys(kept))).to.deep.equal(kept);
    const left = await contentsOf(site.url, manifest.left_out);
    const reporters = (url: string) =>
      withClient(url, async (client) => {
        const text = 'SELECT count(reporter)::int AS n FROM report';
        return (await client.query(text)).rows[0].n;
      });
    expect(await reporters(test.databaseUrl)).to.be.at.least(1);
    expect(await reporters(site.url)).to.equal(0);
    expect(Object.values(left).flat()).to.deep.equal([]);
    const head = JSON.parse(await readFile(headFile(site.dataDir), 'utf8'));
    expect(head).to.include({ restored: true, size: manifest.log.size });

    const again = await startBoard({
      databaseUrl: site.url,
      lifted: true,
      clock: test.clock,
      env: { DATA_DIR: site.dataDir },
    });
    try {
      expect((await again.as().get('/all.txt')).text).to.equal(exported);
      const closed = await preview(again, {});
      expect([closed.status, closed.body.error]).to.deep.equal([
        ...[503, 'log_guard'],
      ]);
      const opened = await command(['restore', '--no-peers', '--json'], env);
      expect(JSON.parse(opened.stdout)).to.deep.equal({
        ok: true,
        waited: true,
      });
      await again.board.context.guard.check();
      const receipt = await publish(again, { title: 'On', body: 'It goes.' });
      expect(receipt.message.id).to.equal(6);
      expect(receipt.log.size).to.equal(manifest.log.size + 1);
      // Tickets are in no backup; what they published is.
      const unknown = await again.as().post('/write/publish').send(retry);
      expect(unknown.body.error).to.equal('ticket_invalid');
      const known = await again.as().get(`/api/requests/${requestId}`);
      expect(known.status, known.text).to.equal(200);
      await decideTo.reinstate(again, 4);
      const back = await again.as().get('/api/messages/4');
      expect(back.body.body).to.equal('To be removed.');
      await checkLedger(again);
    } finally {
      await again.stop();
    }
  });

  it('leaves keys, triggers and rules of the schema as they were', async () => {
    const rules = (url: string) =>
      withClient(url, async (client) => {
        const { rows } = await client.query<{ rule: string }>(
          `SELECT conrelid::regclass || ' ' || conname || ' ' ||
             pg_get_constraintdef(oid) AS rule FROM pg_constraint
             WHERE connamespace = 'public'::regnamespace
           UNION ALL SELECT tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text
             FROM pg_trigger WHERE NOT tgisinternal
           UNION ALL SELECT indexdef FROM pg_indexes
             WHERE schemaname = 'public' ORDER BY 1`,
        );
        return rows.map(({ rule }) => rule);
      });
    expect(await rules(site.url)).to.deep.equal(await rules(test.databaseUrl));
  });

  it('writes over nothing', async () => {
    const { code, stderr } = await command(['restore', backup], site.env);
    expect(code).to.equal(1);
    expect(stderr).to.include('The database has a board already');
  });
});

const RUNS = FULL ? 600 : 16;

describe('backup folders that somebody has spoiled', () => {
  const at = givenBackup();
  const { site } = at;
  let copies = 0;

  it('are refused with one sentence, and leave an empty database', async () => {
    const seed = chosenSeed();
    await fc.assert(fc.asyncProperty(spoils, refused), {
      numRuns: RUNS,
      seed,
      includeErrorInReport: true,
      // What was taken once would be found by every later run.
      endOnFailure: true,
    });
    await site.restore(at.whole);
    await recordFaults({ test: 'A11', seed, faults: RUNS });
  });

  async function refused(spoil: Spoil): Promise<void> {
    copies += 1;
    const from = path.join(at.folder, `copy-${copies}`);
    await cp(at.whole, from, { recursive: true });
    try {
      await spoil(from);
      const error = await site.restore(from).then(
        () => new Error('it was taken'),
        (thrown: unknown) => thrown,
      );
      const lines = failureLines(error);
      expect(lines).to.have.length(1);
      expect(lines[0]).to.not.include('Unexpected');
      expect(lines[0]).to.match(/^[ -~]*$/);
      await site.expectEmpty();
    } finally {
      await rm(from, { recursive: true, force: true });
    }
  }
});
