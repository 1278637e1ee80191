import { givenBoard } from '../../support/hooks.js';
import { publish } from '../../support/post.js';

describe('the tag of /api/mesh', () => {
  const test = givenBoard({ env: { ROLES: 'api' } });

  it('holds while only the time goes on, and not when the log grows', async () => {
    const { headers, body } = await test.as().get('/api/mesh').expect(200);
    expect(headers.etag).to.match(/^W\/"/);
    test.clock.advance(5000);
    const ask = () =>
      test.get('/api/mesh').set('If-None-Match', headers.etag ?? '');
    expect((await ask()).status).to.equal(304);
    const later = await test.as().get('/api/mesh');
    expect(later.headers.etag).to.equal(headers.etag);
    expect(later.body.generated_at).not.to.equal(body.generated_at);
    await publish(test);
    const grown = await ask().expect(200);
    expect(grown.headers.etag).not.to.equal(headers.etag);
  });
});
