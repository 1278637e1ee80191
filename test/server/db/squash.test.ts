import path from 'node:path';
import { pendingMigrations } from '../../../server/db/migrate.js';
import { FORMER } from '../../../server/db/migrations/history.js';
import { migrations } from '../../../server/db/migrations/index.js';
import { readManifest } from '../../../server/operations/backup/manifest.js';
import { restoreBackup } from '../../../server/operations/backup/restore-backup.js';
import { writeBackup } from '../../../server/operations/backup/write-backup.js';
import { SEED } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { givenEachBoard } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { newFolder } from '../../support/run-folder.js';
import { edit } from '../operations/backup/forge.js';
import {
  EmptySite,
  withClient,
  withDatabase,
} from '../operations/backup/site.js';

const TODAY = migrations.map(({ name }) => name);
/** The changes after the nine that follow release 0.1.0 are in the schema. */
const OLD = [...FORMER, ...TODAY.slice(9)];

async function namesIn(url: string): Promise<string[]> {
  return await withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      'SELECT name FROM migrations ORDER BY timestamp',
    );
    return rows.map(({ name }) => name);
  });
}

/** With former names a database of today is one of 0.1.0, nearly. */
async function record(url: string, names: readonly string[]): Promise<void> {
  await withClient(url, async (client) => {
    await client.query('DELETE FROM migrations');
    await client.query(
      `INSERT INTO migrations (timestamp, name)
       SELECT right(name, 13)::bigint, name FROM unnest($1::text[]) AS name`,
      [names],
    );
  });
}

const TRIGGER = `
  CREATE FUNCTION admin_note_message() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'this trigger is gone'; END $$;
  CREATE TRIGGER admin_note_message AFTER INSERT ON message
    FOR EACH ROW EXECUTE FUNCTION admin_note_message()`;

describe('a database of release 0.1.0', () => {
  const test = givenEachBoard(() => ({ lifted: true }));

  beforeEach(async () => {
    await publish(test, { title: 'One', body: 'First.' });
    await publish(test, { reply_to: 1, body: 'Second.' });
  });

  it('goes on under the names of today, with its data', async () => {
    const { databaseUrl: url } = test;
    await record(url, OLD);
    await withClient(url, (client) => client.query(TRIGGER));
    await test.restart();
    expect(await namesIn(url)).to.deep.equal(TODAY);
    const left = await withClient(url, (client) =>
      client.query("SELECT tgname FROM pg_trigger WHERE tgname ~ '^admin_'"),
    );
    expect(left.rows).to.deep.equal([]);
    expect((await test.as().get('/api/messages/2')).body).to.include({
      body: 'Second.',
    });
    await publish(test, { reply_to: 1, body: 'Third.' });
    const { posts } = await checkLedger(test);
    expect(posts).to.have.length(3);
  });

  it('is refused where it stopped on the way', async () => {
    const { databaseUrl: url } = test;
    await record(url, FORMER.slice(0, -1));
    const error = await withDatabase(url, pendingMigrations).catch(
      (thrown: Error) => thrown,
    );
    expect(error).to.be.an('error');
    expect(String(error)).to.match(
      /within the migrations of release 0\.1\.0 \(at MirrorsByPeer1763800700000\); start release 0\.1\.0/,
    );
    expect(await namesIn(url)).to.deep.equal(FORMER.slice(0, -1));
  });

  it('is restored from a backup of that time', async () => {
    const folder = await newFolder();
    const site = await EmptySite.make();
    try {
      const backup = path.join(folder, 'one');
      const options = { boardSeed: SEED, now: test.clock.now() };
      await withDatabase(test.databaseUrl, (db) =>
        writeBackup(db, backup, options),
      );
      const restore = async (names: readonly string[]) => {
        const named = (text: string) =>
          JSON.stringify({ ...JSON.parse(text), migrations: names });
        await edit(backup, named, SEED);
        const manifest = await readManifest(backup, SEED);
        await restoreBackup({ url: site.url }, backup, manifest);
      };
      const error = await restore(FORMER.slice(0, 4)).catch(
        (thrown: Error) => thrown,
      );
      expect(String(error)).to.include('restore it with release 0.1.0');
      await restore(OLD);
      expect(await namesIn(site.url)).to.deep.equal(TODAY);
      const bodies = await withClient(site.url, (client) =>
        client.query('SELECT body FROM message ORDER BY id'),
      );
      expect(bodies.rows).to.deep.equal([
        { body: 'First.' },
        { body: 'Second.' },
      ]);
    } finally {
      await site.stop();
    }
  });
});
