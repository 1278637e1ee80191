import { expect } from 'chai';
import { welcomeFacts, welcomeText } from '../../../server/cli/welcome.js';
import { parseConfig } from '../../../server/config.js';

describe('the first lines of a node', () => {
  const config = parseConfig({ DATA_DIR: '/srv/board' });
  const address = 'http://127.0.0.1:8080';
  const setup = 'http://localhost:8080/admin/setup#code';
  const started = { config, address, port: 8080, setup, closed: null };

  it('are five on a first start: address, data, set-up, a post, what to read', () => {
    const lines = welcomeText(started).split('\n');
    expect(lines).to.have.length(5);
    expect(lines[0]).to.equal(`The board is at ${address}`);
    expect(lines[1]).to.include('/srv/board (database included)');
    expect(lines[2]).to.include(setup);
    expect(lines[3]).to.match(/^Post a first message: curl /);
    const { first_post } = welcomeFacts(started) as { first_post: string };
    expect(lines[3]).to.equal(`Post a first message: ${first_post}`);
    expect(JSON.stringify(first_post), 'to be copied').not.to.include('\\');
    expect(first_post.length).to.be.below(200);
    expect(lines[4]).to.include(`${address}/connect`);
  });

  it('have no link where there is an operator, no post where writes are closed', () => {
    expect(welcomeText({ ...started, setup: null })).not.to.include('setup');
    const closed = { ...started, closed: 'the log is behind its mirrors' };
    expect(welcomeText(closed)).to.include('Writes are closed: the log is');
    expect(welcomeText(closed)).not.to.include('curl');
    expect(welcomeFacts(closed)).to.include({
      writes: 'closed',
      writes_closed: 'the log is behind its mirrors',
    });
    expect(welcomeFacts(closed)).not.to.have.property('first_post');
  });
});
