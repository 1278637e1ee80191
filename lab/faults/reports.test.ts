import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Outcome } from '../outcome.js';
import { PLAN } from './plan.js';
import { render, sentence } from './render.js';
import { filesOf, resultOf } from './results.js';
import { readResults, withSentence } from './run.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (...name: string[]) => readFile(path.join(ROOT, ...name), 'utf8');

describe('the report of faults', () => {
  it('is what its lines say, and the README repeats its sentence', async () => {
    const results = await readResults(ROOT);
    const report = await read('lab', 'reports', 'faults.md');
    expect(report, 'npm run faults -- --render').to.equal(render(results));
    const readme = await read('README.md');
    expect(readme).to.equal(withSentence(readme, results));
    const words = readme.replace(/\s+/g, ' ');
    expect(words).to.contain(sentence(results));
    expect(report).to.contain(sentence(results));
  });

  it('has every row of tables A to I and R, of tests that are there', async () => {
    const tables = { A: 15, B: 15, C: 4, D: 12, F: 19, G: 11, R: 12 };
    const due = Object.entries(tables).flatMap(([table, count]) =>
      Array.from({ length: count }, (_, n) => `${table}${n + 1}`),
    );
    expect(PLAN.map(({ id }) => id)).to.have.members([
      ...[...due, 'E', 'H', 'I'],
    ]);
    for (const file of new Set(PLAN.flatMap(filesOf))) {
      await access(path.join(ROOT, 'test', file));
    }
  });
});

describe('the result of a row', () => {
  const row = {
    id: 'Z1',
    what: 'nothing',
    least: { ci: 2, full: 9 },
    tests: ['a/one', 'a/two#this'],
  };
  const run = { profile: 'ci', seed: 7 } as const;
  const test = (file: string, title: string, passed = true): Outcome => ({
    file: `${file}.test.ts`,
    title,
    passed,
  });
  const record = (name: string, faults: number, lost = 0) => ({
    ...{ test: name, faults, lost },
    ...{ acked: 3, unknown: 0, doubled: 0 },
  });

  it('adds up what its own tests told', () => {
    const told = [record('Z1', 1), record('Z1 more', 1), record('Z10', 5)];
    const result = resultOf(row, run, [test('a/one', 'x')], told);
    expect(result).to.include({ result: 'pass', injected: 2, acked: 6 });
  });

  it('fails by too few, by a failed test, by none, by a lost write', () => {
    const good = [test('a/one', 'x')];
    const two = [record('Z1', 2)];
    const failed = (...of: [Outcome[], ReturnType<typeof record>[]]) =>
      resultOf(row, run, ...of).result;
    expect(failed(good, two)).to.equal('pass');
    expect(failed(good, [record('Z1', 1)])).to.equal('fail');
    expect(failed([], two)).to.equal('fail');
    expect(failed([...good, test('a/two', 'this', false)], two)).to.equal(
      'fail',
    );
    expect(failed([...good, test('a/two', 'that', false)], two)).to.equal(
      'pass',
    );
    expect(failed(good, [record('Z1', 2, 1)])).to.equal('fail');
  });

  it('says what was not run, and why', () => {
    const line = { ...record('Z1', 0), notRun: 'no disk to fill' };
    const result = resultOf(row, run, [test('a/one', 'x')], [line]);
    expect(result).to.include({ result: 'not run', because: line.notRun });
  });
});
