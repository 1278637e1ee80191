import { expect } from 'chai';
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
