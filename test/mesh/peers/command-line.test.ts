import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openIdentity, signIdentity } from '../../../protocol/identity.js';
import { command, type Ended } from '../../server/cli/command.js';
import { given } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { until } from '../../support/until.js';
import { logVkeyOf, twoNodes } from './node-on-port.js';

const SEED = 'ef'.repeat(32);

describe('reserve-board peer', () => {
  const { a, b } = given(twoNodes({ env: { BOARD_SEED: SEED } }));
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'peer-cli-'));
  });

  after(() => rm(folder, { recursive: true }));

  async function run(...args: string[]): Promise<Ended> {
    return await command(args, {
      DATABASE_URL: a.databaseUrl,
      BASE_URL: a.url,
      DATA_DIR: folder,
      BOARD_SEED: SEED,
      MESH_ALLOW_HTTP: 'on',
      MESH_ALLOW_PRIVATE: 'on',
    });
  }

  it('adds, confirms, lists and pauses beside a running board', async () => {
    const added = await run('peer', 'add', b.url);
    expect(added.code, added.stderr).to.equal(0);
    expect(added.stdout).to.include(logVkeyOf(b));
    const wrong = await run('peer', 'confirm', b.url, logVkeyOf(a));
    expect(wrong.code).to.equal(1);
    expect(wrong.stderr.trim().split('\n')).to.have.length(1);
    const confirmed = await run('peer', 'confirm', b.url, logVkeyOf(b));
    expect(confirmed.code, confirmed.stderr).to.equal(0);
    const listed = await run('peer', 'list', '--json');
    const [peer] = JSON.parse(listed.stdout);
    expect(peer).to.include({ base_url: b.url });
    expect(peer).to.have.property('limits');
    expect(peer).to.have.property('retry_at');
    expect(peer).to.have.property('last_attempt_at');
    const overview = await run('operator', 'do', 'overview.read');
    const [shown] = JSON.parse(overview.stdout).data.peers;
    expect(shown).to.include({ status: 'active', standstill: null });
    const { body } = await a.as().get('/api/mesh');
    expect(body.peers).to.have.length(1);
  });

  it('leaves a row of the trail for each change, with the account', async () => {
    const peer = b.board.context.board.name;
    const paused = await run('operator', 'do', 'peer.pause', '--board', peer);
    expect(paused.code, paused.stderr).to.equal(0);
    await run('peer', 'resume', peer);
    const rows = await a.board.context.reads.query(
      `SELECT action, subject, operator FROM operator_audit
       WHERE action LIKE 'peer.%' ORDER BY id`,
    );
    const operator = `command line (${os.userInfo().username})`;
    expect(rows).to.deep.equal([
      { action: 'peer.add', subject: `peer:${b.url}`, operator },
      { action: 'peer.confirm', subject: `peer:${b.url}`, operator },
      { action: 'peer.pause', subject: `peer:${peer}`, operator },
      { action: 'peer.resume', subject: `peer:${peer}`, operator },
    ]);
  });

  it('asks before texts are deleted, and says how many', async () => {
    const peer = b.board.context.board.name;
    await a.board.peerAdmin.trust(peer, { content: 'all' });
    await publish(b, { body: 'By a guest.' });
    const held = () => a.board.peerAdmin.holdings(peer);
    await until('the text', async () => (await held()).texts === 1);
    for (const [words, why] of [
      [['block', peer], 'deletes every text of it that is kept here'],
      [['forget', peer], 'stay'],
      [['trust', peer, 'witness'], 'This narrows what is kept'],
      [['trust', peer, '--content', 'signed'], 'This narrows what is kept'],
    ] as const) {
      const { code, stderr } = await run('peer', ...words);
      expect(code, stderr).to.equal(1);
      expect(stderr).to.include(why);
      expect(stderr).to.include('It deletes 1 text. Of');
      expect(stderr).to.match(/1 of them of guests; \d are known on no other/);
      expect(stderr).to.include('Add --yes to do it.');
      expect(await held()).to.include({ texts: 1, guests: 1 });
    }
  });

  it('sets limits, goes back to the default, and ends the first week', async () => {
    const peer = b.board.context.board.name;
    const limits = async (...flags: string[]) => {
      const { code, stderr } = await run('peer', 'limits', peer, ...flags);
      expect(code, stderr).to.equal(0);
      return (await a.board.peerAdmin.read(peer)).limits;
    };
    expect(await limits('--entries-day', '700', '--no-probation')).to.include({
      entries_day: 700,
      probation_until: null,
    });
    const { entries_day } = await limits('--entries-day', 'default');
    expect(entries_day).to.equal(50_000);
  });

  it('says in its help what each trust permits', async () => {
    const { stdout } = await run('peer', 'trust', '--help');
    const words = stdout.replace(/\s+/g, ' ');
    expect(words).to.include('relay accept posts that the board hands over');
    expect(words).to.include('The other board decides how far it trusts this');
  });

  it('shows an address that waits, and confirms that very one', async () => {
    const { context } = b.board;
    const opened = openIdentity((await a.board.peerAdmin.read(b.url)).identity);
    if (!opened.ok) throw new Error(opened.reason);
    const { name, log: key, seq } = opened.value;
    const url = 'http://127.0.0.1:9';
    const moved = { ...opened.value, url, seq: seq + 1 };
    await a.board.context.writes.query(
      'UPDATE peer SET pending_identity = $2 WHERE name = $1',
      [name, signIdentity(moved, context.keys.log, context.keys.node)],
    );
    const { stdout } = await run('peer', 'list');
    const confirm = ['peer', 'confirm', name, key, '--address'];
    expect(stdout).to.include(`${url} instead of ${b.url}`);
    expect(stdout).to.include(
      `reserve-board peer confirm ${name} '${key}' --address ${url}`,
    );
    const other = await run(...confirm, `${url}9`);
    expect(other.code).to.equal(1);
    expect(other.stderr).to.include(`The address to confirm is ${url};`);
    const confirmed = await run(...confirm, url);
    expect(confirmed.code, confirmed.stderr).to.equal(0);
    expect(confirmed.stdout).to.include(`${name} (${url})`);
    expect((await run('peer', 'list')).stdout).not.to.include('instead of');
    await a.board.context.writes.query('UPDATE peer SET base_url = $1', [
      b.url,
    ]);
  });

  it('exports a policy, shows a difference and applies it', async () => {
    const { stdout } = await run('peer', 'policy', 'export');
    const file = path.join(folder, 'policy.json');
    // Editors of Windows begin a file with a byte order mark.
    await writeFile(file, `\ufeff${stdout.replace('"mirror"', '"relay"')}`);
    const seen = await run('peer', 'policy', 'import', file);
    expect(seen.stdout).to.include('trust: "mirror" -> "relay"');
    await run('peer', 'policy', 'import', file, '--apply', '--json');
    expect((await a.board.peerAdmin.read(b.url)).trust).to.equal('relay');
    const gone = path.join(folder, 'gone.json');
    const refused = await run('peer', 'policy', 'import', gone);
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.include('or the folder of a backup');
    const none = await run('peer', 'pause', 'nobody.example', '--json');
    expect(none.code).to.equal(1);
    expect(JSON.parse(none.stdout)).to.include({
      ok: false,
      error: 'unknown_board',
    });
  });
});
