import { chmod, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { until } from '../../support/until.js';
import { type Environment, ended, launched, running } from './command.js';

/** A new database while initdb makes it. */
const DRAFT = /^init-/;

describe('a first start that is cut off', () => {
  let folder: string;
  let dataDir: string;
  let env: Environment;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(await realpath(tmpdir()), 'cut-'));
    await chmod(folder, 0o711);
    dataDir = path.join(folder, 'data');
    env = { PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  const names = () => readdir(dataDir).catch((): string[] => []);

  /** Signals a start while its database is being made; how it ended. */
  async function cut(signal: NodeJS.Signals) {
    const child = await launched(['start'], env);
    const end = ended(child);
    await until('initdb', async () =>
      (await names()).some((name) => DRAFT.test(name)),
    );
    child.kill(signal);
    return await end;
  }

  it('by SIGTERM ends in order, before it has made a board', async () => {
    const { code, stdout, stderr } = await cut('SIGTERM');
    expect(code, stderr).to.equal(0);
    expect(stdout + stderr).to.equal('');
    const left = await names();
    expect(left).not.to.include('board.seed');
    expect(left.filter((name) => DRAFT.test(name))).to.deep.equal([]);
    expect(await readdir(path.join(dataDir, 'pg18'))).not.to.include(
      'postmaster.pid',
    );
  });

  it('by SIGKILL is begun again by the next', async () => {
    await cut('SIGKILL');
    const node = await running(['start'], env, /"listening"/);
    const facts = JSON.parse(node.lines.at(-1) ?? '');
    expect(facts.writes).to.equal('open');
    const { code, stderr } = await node.stop();
    expect(code, stderr).to.equal(0);
  });
});
