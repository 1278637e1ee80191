import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { benchArguments } from './arguments.js';
import { AGENTS, messageText } from './corpus/message.js';
import { Chunks } from './load/chunks.js';
import { textTable } from './report/table.js';
import { CannotRun, type Row } from './row.js';
import { spreadReadsRow } from './rows/r2-spread-reads.js';
import { ROWS } from './rows/rows.js';
import { voteRow } from './rows/w2-vote.js';
import { type Beginning, run } from './run.js';
import { Cluster } from './set-up/cluster.js';
import { dataSet } from './set-up/data-set.js';
import { TRIAL } from './set-up/pace.js';
import { Progress } from './set-up/progress.js';

const SIZE = 300;
const BEGINNING: Beginning = {
  date: '2026-01-01T00:00:00.000Z',
  commit: 'abc1234',
  dirty: false,
  short: true,
  full: false,
  size: SIZE,
};
const OPTIONS = { size: SIZE, pace: TRIAL, short: true };

const refused = (id: string, error: Error): Row => ({
  id,
  section: 'node',
  work: `what cannot be done: ${id}`,
  reference: '–',
  marks: 'none',
  run: () => Promise.reject(error),
});

describe('the bench', () => {
  let folder: string;
  const said: string[] = [];
  const progress = new Progress({ write: (text: string) => said.push(text) });

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'reserve-bench-'));
  });

  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('continues a half-built data set as its seed has it', async () => {
    const cluster = await Cluster.start(folder);
    try {
      const broken = dataSet(cluster, SIZE, (done) => {
        if (done >= 128) throw new Error('interrupted');
      });
      const why = await broken.then(() => '', String);
      expect(why).to.include('interrupted');
      const { database, plan, seed } = await dataSet(cluster, SIZE, () => {});
      const rows = await cluster.query<{
        id: number;
        root: number;
        body: string;
      }>(
        database,
        'SELECT id::int, root_id::int AS root, body FROM message ORDER BY id',
      );
      expect(rows).to.eql(
        Array.from({ length: SIZE }, (_, at) => ({
          id: at + 1,
          root: plan.roots[at + 1],
          body: messageText(seed, at + 1).body,
        })),
      );
      const [log] = await cluster.query<{ size: number }>(
        database,
        'SELECT size::int FROM log_state WHERE origin_id = 0',
      );
      // The board's identity, the keys of its agents, and the messages.
      expect(log?.size).to.equal(1 + AGENTS + SIZE);
      let built = false;
      await dataSet(cluster, SIZE, () => {
        built = true;
      });
      expect(built).to.equal(false);
      const second = await Cluster.start(folder).then(() => '', String);
      expect(second).to.include('another run of the bench');
    } finally {
      await cluster.stop();
    }
  });

  it('measures rows beside their references and goes on past those that cannot run', async () => {
    const rows = [
      spreadReadsRow,
      refused('X1', new CannotRun('no such machine')),
      refused('X2', new Error('a fault')),
      { ...voteRow, sameWithoutFastPaths: 'as is said here' },
    ];
    const kept: number[] = [];
    const results = await run(
      rows,
      { ...OPTIONS, folder, progress },
      { ...BEGINNING, onRow: async ({ rows }) => kept.push(rows.length) },
    );

    expect(results.rows.map(({ id }) => id)).to.eql(['R2', 'X1', 'X2', 'W2']);
    expect(kept).to.eql([1, 2, 3, 4]);
    const [read, cannot, failed, vote] = results.rows;
    expect(cannot?.skipped).to.equal('no such machine');
    expect(failed?.skipped).to.equal('it failed: a fault');
    for (const row of [read, vote]) {
      expect(row?.skipped).to.equal(undefined);
      expect(row?.figures).to.not.be.empty;
      for (const { value, reference, ratio, off, mark } of row?.figures ?? []) {
        expect(value).to.be.at.least(0);
        if (row === read) expect(off?.value).to.be.at.least(0);
        expect(off?.ratio !== undefined).to.equal(
          row === read && ratio !== undefined,
        );
        if (reference !== undefined) {
          expect(reference.value).to.be.above(0);
          expect(ratio).to.be.a('number');
        }
        expect(mark?.met).to.be.a('boolean');
      }
    }
    expect(vote?.notes.join()).to.include(
      'not measured twice: as is said here',
    );
    expect(said.join('')).to.match(/\[#*\.*\] \d+\/\d+ /);
    const table = textTable(results.rows).split('\n');
    expect(table[0]).to.match(
      /^row +work +figure +reference +ratio +off +mark +met$/,
    );
    expect(table.join('\n')).to.include('not measured: no such machine');
  });

  it('leaves out what was under way when it is interrupted', async () => {
    const signal = AbortSignal.abort();
    const row: Row = {
      ...refused('X1', new Error('never')),
      run: async (lab) => {
        lab.at('X1', 0, 1);
        return { figures: [], notes: [] };
      },
    };
    const options = { ...OPTIONS, folder, progress, signal };
    const { rows } = await run([row, row], options, BEGINNING);
    expect(rows).to.eql([]);
  });

  it('reads answers in chunks, however they are cut', () => {
    const wire = Buffer.from('3\r\nabc\r\nA\r\n0\r\n\r\n01234\r\n0\r\n\r\n');
    for (let size = 1; size <= wire.length; size += 1) {
      const chunks = new Chunks(true);
      const ends: boolean[] = [];
      for (let at = 0; at < wire.length; at += size) {
        ends.push(chunks.take(wire.subarray(at, at + size)));
      }
      expect(ends.indexOf(true), `by ${size}`).to.equal(ends.length - 1);
      const text = Buffer.concat(chunks.parts).toString();
      expect(text, `by ${size}`).to.equal('abc0\r\n\r\n01234');
    }
  });

  it('knows every row of the table of marks, and refuses what it does not know', () => {
    expect(new Set(ROWS.map(({ id }) => id)).size).to.equal(ROWS.length);
    expect(
      benchArguments(['--only', 'r1, W2', '--size', '1e4', '--resume']),
    ).to.deep.include({
      only: ['R1', 'W2'],
      size: 10_000,
      short: false,
      render: false,
      resume: true,
    });
    for (const args of [
      ['--size', '1.5'],
      ['--size', '1e9'],
      ['--size', 'many'],
      ['--sise', '1e4'],
      ['R1'],
    ]) {
      expect(() => benchArguments(args), args.join(' ')).to.throw();
    }
  });
});
