import { execFileSync } from 'node:child_process';
import { QueryFailedError } from 'typeorm';
import { loggedError } from '../../server/logger.js';

describe('an error in the log', () => {
  it('has its name, message, code and stack, and no parameter or row', () => {
    const cause = Object.assign(new Error('duplicate key'), {
      code: '23505',
      detail: 'Key (body)=(the owl) already exists.',
    });
    const sql = 'INSERT INTO message (body) VALUES ($1)';
    const logged = loggedError(new QueryFailedError(sql, ['the owl'], cause));
    expect(logged).to.include({
      type: 'QueryFailedError',
      message: 'duplicate key',
      code: '23505',
    });
    expect(logged).to.have.property('stack');
    expect(JSON.stringify(logged)).not.to.include('owl');
  });

  it('is what was thrown where that is no error', () => {
    expect(loggedError('gone')).to.equal('gone');
  });
});

/** Writes lines with what has no end, and with objects of libraries. */
const LINES = `
  import { Agent } from 'node:http';
  const { createLogger } = await import(${JSON.stringify(
    new URL('../../server/logger.ts', import.meta.url).href,
  )});
  const log = createLogger('info');
  const error = Object.assign(new Error('m'.repeat(9000)), {
    code: 'E', config: new Agent(), extra: 'x'.repeat(9000), deep: { a: 1 },
  });
  error.stack = 's'.repeat(9000);
  error.cause = new Error('ü'.repeat(3000));
  log.error({ err: error }, 'w'.repeat(9000));
  log.warn({ text: '\\u{1f600}'.repeat(4000), agent: new Agent() }, 'short');
  log.info({ list: Array(5000).fill('item'), small: ['a'] }, 'lists');
  const many = Array.from({ length: 400 }, (_, n) => ['field' + n, 'v'.repeat(90)]);
  log.info(Object.fromEntries(many), 'many');
  log.info({ error: new AggregateError([error, error], 'both') }, 'two');
  const circle = { n: 5n };
  circle.circle = circle;
  log.warn({ circle, list: [circle], n: 5n, err: circle, f: () => 1 }, 'circle');
  log.info({ ticket: 'secret', nested: { ticket: 'secret' } }, 'fence');
`;

describe('a line of the log', () => {
  const lines = () =>
    execFileSync(
      process.execPath,
      [
        '--import=@oxc-node/core/register',
        '--input-type=module',
        ...['--eval', LINES],
      ],
      { encoding: 'utf8' },
    )
      .trimEnd()
      .split('\n');

  it('has at most 2 kB, and no object of a library', () => {
    const all = lines();
    expect(all).to.have.length(7);
    const parsed = all.map((line) => {
      expect(Buffer.byteLength(line), line).to.be.at.most(2048);
      return JSON.parse(line);
    });
    expect(parsed[0].err).to.include({ type: 'Error', code: 'E' });
    expect(parsed[0].err).not.to.have.any.keys('config', 'deep');
    expect(parsed[1]).to.include({ msg: 'short', agent: 'Agent, not shown' });
    expect(parsed[2]).to.deep.include({ list: '…', small: ['a'] });
    expect(parsed[4].error).to.include({ message: 'both' });
    expect(parsed[5]).to.include({ circle: 'Object, not shown', n: '5' });
    expect(all[6]).not.to.include('secret');
  });
});
