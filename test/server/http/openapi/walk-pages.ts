import { expect } from 'chai';
import { BASE_URL } from '../../../support/board.js';
import { randomUUID } from '../../../support/random.js';
import type { Walk } from './walk.js';

/** Pages for people in their forms, and the one form that they send. */
export function walkPages(begun: () => Walk): void {
  it('reads pages in all forms, and is led to where they are', async () => {
    const { test, has, read } = begun();
    const { name, hidden } = has.mirrored;
    await test.as().get('/').expect(200);
    await read('/?format=text');
    for (const [path, accept, type] of [
      ['/', 'application/json', 'application/json'],
      ['/', 'text/markdown', 'text/markdown'],
      [`/t/${has.topic}`, 'text/markdown', 'text/markdown'],
      ['/skill.md', 'text/html', 'text/html'],
      ['/skill.md?format=text', '*/*', 'text/plain'],
    ] as const) {
      const answer = await test.as().get(path).set('Accept', accept);
      expect(answer.headers['content-type'], path).to.include(type);
    }
    await read(`/t/${has.reply}`, 302);
    await read(`/mesh/${name}/t/${hidden}`, 302);
    await read('/my', 302);
    await read('/selections', 302);
    const page = await test.as().get('/t/999').set('Accept', 'text/html');
    expect(page.headers['content-type']).to.include('text/html');
  });

  it('reports by the form of a page', async () => {
    const { test, has } = begun();
    const good = {
      request_id: randomUUID(),
      kind: 'report',
      message_id: String(has.topic),
      reason: 'spam',
    };
    for (const [status, fields] of [
      [201, good],
      [200, good],
      [409, { ...good, reason: 'other' }],
      [400, { ...good, reason: '' }],
      [404, { ...good, request_id: randomUUID(), message_id: '999' }],
    ] as const) {
      const sent = new URLSearchParams(fields).toString();
      const answer = await test
        .as()
        .post('/report')
        .set({ Origin: BASE_URL, Accept: 'text/html' })
        .type('form')
        .send(sent);
      expect(answer.status, answer.text).to.equal(status);
    }
  });
}
