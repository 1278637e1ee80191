import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Peer } from '../../server/db/entities/peer.js';
import { headFile } from '../../server/ledger/head-file.js';
import { noteRun } from '../../server/operations/backup/backup-notes.js';
import { PROBLEM_NAMES } from '../../server/operations/index.js';
import { ScriptedLog } from '../mesh/support/scripted-log.js';
import { confirmed } from '../mesh/support/two-boards.js';
import { startBoard, type TestBoard } from '../support/board.js';
import { freePort } from '../support/free-port.js';
import { publish } from '../support/post.js';
import { isInstalled, programOf } from '../support/programs.js';
import { rows } from '../support/rows.js';

const RULES = path.resolve('deploy/monitoring/alerts.yml');
/** These are about the machine of the test, which may be busy or full. */
const OF_MACHINE = 'BoardLoopLags|BoardDiskLow|BoardWaitsForConnections';
const HOUR = 3_600_000;

// Debian's prometheus is no need of a contributor.
if (isInstalled('promtool')) {
  describe('the alert rules, on the metrics of a board', () => {
    let test: TestBoard;
    let folder: string;
    let port: number;

    before(async () => {
      port = await freePort();
      folder = await mkdtemp(path.join(os.tmpdir(), 'rules-'));
      const env = { ROLES: 'api', METRICS_PORT: String(port) };
      test = await startBoard({ env });
      await publish(test);
    });

    after(async () => {
      await test.stop();
      await rm(folder, { recursive: true, force: true });
    });

    /** The alerts that fire where these metrics last for 30 hours. */
    async function firing(more: string[] = []): Promise<string[]> {
      // A board whose clock differs from its database's is not ready.
      test.clock.advance(Date.now() - test.clock.now());
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
      const rules = await readFile(RULES, 'utf8');
      const all = (await answer.text()).split('\n');
      const given = more.map((line) => line.split(' ')[0] ?? '');
      const left = all.filter(
        (line) => !given.some((it) => line.startsWith(it)),
      );
      const series = [...left, ...more].flatMap((line) => {
        const [, name = '', labels = '', value = ''] =
          /^([a-z_0-9]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
        if (!rules.includes(name) || name === '') return [];
        const own = [labels, 'job="reserve-board"', 'instance="a"'];
        const all = own.filter((one) => one !== '').join(',');
        return { series: `${name}{${all}}`, values: `${value}+0x180` };
      });
      const up = { series: 'up{job="reserve-board"}', values: '1+0x180' };
      const file = path.join(folder, 'test.yml');
      const asked = {
        expr: `count by (alertname, problem) (ALERTS{alertstate="firing",alertname!~"${OF_MACHINE}"})`,
        eval_time: '30h',
        exp_samples: [],
      };
      const tests = {
        rule_files: [RULES],
        evaluation_interval: '10m',
        tests: [
          {
            interval: '10m',
            input_series: [up, ...series],
            promql_expr_test: [asked],
          },
        ],
      };
      await writeFile(file, JSON.stringify(tests)); // JSON is YAML, too
      const said = await promisify(execFile)(programOf('promtool'), [
        ...['test', 'rules', file],
      ]).catch((error: { stdout: string; stderr: string }) => error);
      const text = `${said.stdout}${said.stderr}`;
      const found = text.matchAll(
        /alertname="(\w+)"(?:, problem="([\w -]+)")?/g,
      );
      const names = new Set(
        [...found].map(([, name = '', why]) => why ?? name),
      );
      for (const name of OF_MACHINE.split('|')) names.delete(name);
      if (names.size === 0) expect(text).to.include('SUCCESS');
      return [...names].sort();
    }

    it('ask a fresh board, on http, for nothing but a backup', async () => {
      expect(await firing()).to.deep.equal(['BoardNeverBackedUp']);
    });

    it('name a backup that is too old, and are silent on a new one', async () => {
      const note = (madeAt: number) =>
        noteRun(
          test.board.context.writes,
          { name: 'verify_backup', startedAt: madeAt, durationMs: 1 },
          { made_at: madeAt, tables: [], log: { size: 1 } } as never,
        );
      const now = test.clock.now();
      await note(now - 27 * HOUR);
      expect(await firing()).to.deep.equal(['BoardBackupNotVerified']);
      await note(now - HOUR);
      expect(await firing()).to.deep.equal([]);
    });

    it('name a mirror that is behind, and one that stands still', async () => {
      const log = new ScriptedLog('board-a.example', test.clock.now());
      const { keys } = log;
      const url = 'http://127.0.0.1:9';
      const facts = { name: log.board, origin: log.origin, url, keys };
      const identity = log.identity(url);
      const originId = await confirmed(test, { ...facts, identity });
      const set = (change: Partial<Peer>) =>
        rows(test).update(Peer, { originId }, change);
      const now = test.clock.now();
      await set({ remoteSize: 9, remoteSeenAt: now - 2 * HOUR });
      expect(await firing()).to.deep.equal(['BoardPeerLags']);
      await set({ remoteSize: 0, lastErrorCode: 'http_410', lastErrorAt: now });
      expect(await firing()).to.deep.equal(['BoardPeerStandsStill']);
      await set({ lastErrorCode: null, lastErrorAt: null });
      await set({ failures: 3, lastSuccessAt: now - 2 * HOUR });
      expect(await firing()).to.deep.equal(['BoardPeerStandsStill']);
      await set({ failures: 0, lastSuccessAt: now, status: 'paused' });
      expect(await firing()).to.deep.equal([]);
    });

    it('name each reason why a board is not ready', async () => {
      // One that is asked to stop ends, and BoardDown says so.
      const all = PROBLEM_NAMES.filter((problem) => problem !== 'stopping');
      const lines = all.map((it) => `board_unready{problem="${it}"} 1`);
      expect(await firing(lines)).to.include.members(all);
    });

    it('name closed writes', async () => {
      const { config, guard } = test.board.context;
      const file = headFile(config.dataDir);
      const head = JSON.parse(await readFile(file, 'utf8')) as object;
      await writeFile(file, JSON.stringify({ ...head, size: 99 }));
      await guard.check();
      expect(await firing()).to.include.members(['BoardWritesClosed']);
    });
  });
}
