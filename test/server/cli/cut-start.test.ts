import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { until } from '../../support/until.js';
import { ended, launched, running } from './command.js';
import { givenHome } from './home.js';

/** A new database while initdb makes it. */
const DRAFT = /^init-/;

describe('a first start that is cut off', () => {
  const at = givenHome({ LOG_LEVEL: 'warn' });

  const names = () => readdir(at.dataDir).catch((): string[] => []);

  /** Signals a start while its database is being made; how it ended. */
  async function cut(signal: NodeJS.Signals) {
    const child = await launched(['start'], at.env);
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
    expect(await readdir(path.join(at.dataDir, 'pg18'))).not.to.include(
      'postmaster.pid',
    );
  });

  it('by SIGKILL is begun again by the next', async () => {
    await cut('SIGKILL');
    const node = await running(['start'], at.env, /"listening"/);
    const facts = JSON.parse(node.lines.at(-1) ?? '');
    expect(facts.writes).to.equal('open');
    const { code, stderr } = await node.stop();
    expect(code, stderr).to.equal(0);
  });
});
