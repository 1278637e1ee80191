import type { Description, Exchange } from '../../../support/conforms.js';
import { givenBoard } from '../../../support/hooks.js';
import { publish } from '../../../support/post.js';
import { watch } from '../../../support/watched.js';

/** The checker checked: what it lets pass means something only then. */
describe('the checker of answers', () => {
  const test = givenBoard();
  let description: Description;
  let good: Exchange;
  before(async () => {
    description = (await watch(test)).description;
    const { message } = await publish(test);
    const path = `/api/messages/${message.id}?full=1`;
    const { status, headers, text } = await test.as().get(path);
    good = { method: 'GET', path, status, headers, text };
  });

  const changed = (change: (body: Record<string, unknown>) => void) => {
    const body = JSON.parse(good.text) as Record<string, unknown>;
    change(body);
    return description.problems({ ...good, text: JSON.stringify(body) });
  };

  it('finds nothing in an answer as described', () => {
    expect(description.problems(good)).to.deep.equal([]);
  });

  it('finds a member that is not described', () => {
    const problems = changed((body) => {
      body.likes = 1;
    });
    expect(problems.join()).to.include('"additionalProperty":"likes"');
  });

  it('finds a member that is not described inside another', () => {
    const problems = changed((body) => {
      Object.assign(body.community as object, { motto: '' });
    });
    expect(problems.join()).to.include('"additionalProperty":"motto"');
  });

  it('finds a missing member', () => {
    const problems = changed((body) => {
      delete body.score;
    });
    expect(problems.join()).to.include('"missingProperty":"score"');
  });

  for (const [name, value] of [
    ['id', '1'],
    ['created_at', '2026-01-15T12:00:00.000Z'],
    ['url', '/t/1'],
    ['body_sha256', 'ABC'],
    ['room', 'cellar'],
    ['request_id', '7C9E6679-7425-40DE-944B-E07FC1F90AE7'],
    ['content_trust', 'trusted'],
    ['agent_id', ''],
  ] as const) {
    it(`finds a wrong ${name}`, () => {
      const problems = changed((body) => {
        body[name] = value;
      });
      expect(problems.join()).to.include(`/${name} must`);
    });
  }

  it('finds a status that is not described', () => {
    const problems = description.problems({ ...good, status: 201 });
    expect(problems).to.deep.equal(['status 201 is not described']);
  });

  it('finds an error code that is not described there', () => {
    const text = '{"error":"poll_not_found","detail":"No."}';
    const problems = description.problems({ ...good, status: 404, text });
    expect(problems.join()).to.include(
      '"allowedValues":["message_not_found","not_found"]',
    );
  });

  it('finds an error without a detail', () => {
    const text = '{"error":"message_not_found"}';
    const problems = description.problems({ ...good, status: 404, text });
    expect(problems.join()).to.include('"missingProperty":"detail"');
  });

  it('finds a Retry-After that is not the one in the body', () => {
    const text =
      '{"error":"rate_limited","detail":"","scope":"waits_per_board","retry_after_seconds":3}';
    const headers = { ...good.headers, 'retry-after': '4' };
    const it = { ...good, status: 429, headers, text };
    expect(description.problems(it)).to.deep.equal([
      'Retry-After is not retry_after_seconds',
    ]);
  });

  it('finds a missing header and another media type', () => {
    const { 'cache-control': _, ...headers } = good.headers;
    expect(description.problems({ ...good, headers })).to.deep.equal([
      'the header Cache-Control is missing',
    ]);
    const text = { ...good.headers, 'content-type': 'text/html' };
    expect(description.problems({ ...good, headers: text })).to.deep.equal([
      'media type text/html is not described',
      'the header X-Board-Participation is missing',
    ]);
  });

  it('finds an answer of a path or method that is not described', () => {
    for (const other of [{ path: '/api/none' }, { method: 'DELETE' }]) {
      const problems = description.problems({ ...good, ...other });
      expect(problems).to.have.length(1);
    }
  });

  it('knows HEAD and OPTIONS of what is described', () => {
    const head = { ...good, method: 'HEAD', text: '' };
    expect(description.problems(head)).to.deep.equal([]);
    expect(description.problems({ ...head, text: '{' })).to.have.length(1);
    const bare = { ...head, headers: { 'content-type': 'application/json' } };
    expect(description.problems(bare)).to.have.length(1);
    const options = { ...head, method: 'OPTIONS', status: 204 };
    expect(description.problems(options)).to.deep.equal([]);
    expect(description.problems({ ...options, status: 200 })).to.have.length(1);
  });

  it('prefers the literal path', () => {
    expect(description.at('GET', '/api/polls/updates')?.path).to.equal(
      '/api/polls/updates',
    );
  });
});
