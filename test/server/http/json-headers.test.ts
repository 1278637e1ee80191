import { expect } from 'chai';
import { type Edge, rawExchange, rawPost, startEdge } from './harness.js';

describe('the headers of a JSON POST', () => {
  let edge: Edge;
  before(async () => {
    edge = await startEdge();
  });
  after(() => edge.stop());

  for (const type of [
    'application/json',
    'APPLICATION/JSON',
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8',
    'application/json ; Charset="utf-8"',
  ]) {
    it(`takes Content-Type: ${type}`, async () => {
      const raw = rawPost(['Content-Length: 7'], '{"a":1}');
      const answer = await rawExchange(
        edge.port,
        raw.replace('application/json', type),
      );
      expect(answer.status).to.equal(200);
      expect(answer.body.keys).to.deep.equal(['a']);
    });
  }

  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/json; charset=utf-8; charset=utf-8',
    'application/json; boundary=x',
    'application/json;',
    'application/json, text/plain',
    'application/jsonp',
    'application/problem+json',
    'application/json\r\nContent-Type: application/json',
    '',
  ]) {
    it(`refuses Content-Type: ${JSON.stringify(type)}`, async () => {
      const raw = rawPost(['Content-Length: 7'], '{"a":1}');
      const answer = await rawExchange(
        edge.port,
        raw.replace('application/json', type),
      );
      expect(answer.body.error).to.equal('unsupported_media_type');
    });
  }

  it('refuses a POST without Content-Type', async () => {
    const raw = rawPost(['Content-Length: 0']);
    const answer = await rawExchange(
      edge.port,
      raw.replace('Content-Type: application/json\r\n', ''),
    );
    expect(answer.status).to.equal(415);
  });

  it('takes a question mark with nothing behind it as no parameters', async () => {
    const raw = rawPost(['Content-Length: 2'], '{}');
    const answer = await rawExchange(
      edge.port,
      raw.replace('/write/echo', '/write/echo?'),
    );
    expect(answer.status).to.equal(200);
  });

  for (const query of ['?&', '?x', '?x=1', '?body=a&vote=1']) {
    it(`refuses the URL parameters ${query} before anything else`, async () => {
      const raw = rawPost(['Content-Length: 1'], 'x')
        .replace('/write/echo', `/write/echo${query}`)
        .replace('application/json', 'text/plain');
      const answer = await rawExchange(edge.port, raw);
      expect(answer.status).to.equal(400);
      expect(answer.body.error).to.equal('url_parameters_rejected');
    });
  }
});
