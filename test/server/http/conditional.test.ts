import { expect } from 'chai';
import request from 'supertest';
import { etagOf, matchesEtag } from '../../../server/http/send.js';
import { cpuTime } from '../../support/cpu-time.js';
import { type Edge, startEdge } from './harness.js';

const TAG = '"abc"';

describe('matchesEtag', () => {
  for (const header of [
    ...[
      '"abc"',
      'W/"abc"',
      '*',
      ' * ',
      '"x", "abc"',
      '"x",W/"abc"',
      '"a,b","abc"',
    ],
    ...['"", "abc"', '"abc" , "x"'],
  ]) {
    it(`finds the tag in ${header}`, () => {
      expect(matchesEtag(header, TAG)).to.equal(true);
    });
  }

  for (const header of [
    ...['', 'abc', '"ab"', '"abcd"', '"ABC"', "'abc'", '"abc', 'abc"', '**'],
    ...['"x,"', 'W/abc'],
  ]) {
    it(`does not find the tag in ${header}`, () => {
      expect(matchesEtag(header, TAG)).to.equal(false);
    });
  }

  it('takes linear time for a hostile list', () => {
    const list = 'W/"'.repeat(2_700);
    expect(cpuTime(() => matchesEtag(list, TAG))).to.be.below(50);
  });
});

describe('conditional requests', () => {
  let edge: Edge;
  let etag = '';
  before(async () => {
    edge = await startEdge();
    const answer = await request(edge.server).get('/api/list');
    etag = String(answer.headers.etag);
  });
  after(() => edge.stop());

  it('tags exactly the bytes sent', async () => {
    const answer = await request(edge.server).get('/api/list');
    expect(etag).to.match(/^"[\w-]{27}"$/);
    expect(etagOf(Buffer.from(answer.text))).to.equal(etag);
    expect(etagOf(Buffer.from(`${answer.text} `))).not.to.equal(etag);
    expect(answer.headers['cache-control']).to.equal(
      'public, max-age=0, must-revalidate',
    );
    expect(answer.headers['content-length']).to.equal(
      String(Buffer.byteLength(answer.text)),
    );
  });

  for (const method of ['get', 'head'] as const) {
    it(`answers 304 to a ${method} that knows the tag`, async () => {
      const answer = await request(edge.server)
        [method]('/api/list')
        .set('If-None-Match', `"x", W/${etag}`);
      expect(answer.status).to.equal(304);
      expect(answer.headers.etag).to.equal(etag);
      expect(answer.headers['cache-control']).to.equal(
        'public, max-age=0, must-revalidate',
      );
      expect(answer.headers['access-control-allow-origin']).to.equal('*');
      expect(answer.headers).not.to.have.property('content-type');
      expect(answer.headers).not.to.have.property('content-length');
    });
  }

  it('answers 200 to one that knows another tag', async () => {
    const answer = await request(edge.server)
      .get('/api/list')
      .set('If-None-Match', '"other"');
    expect(answer.status).to.equal(200);
    expect(answer.body).to.deep.equal({ data: [1, 2] });
  });

  it('gives no tag and no 304 where nothing may be stored', async () => {
    const answer = await request(edge.server)
      .get('/api/messages/7')
      .set('If-None-Match', '*');
    expect(answer.status).to.equal(200);
    expect(answer.headers['cache-control']).to.equal('no-store');
    expect(answer.headers).not.to.have.property('etag');
  });
});
