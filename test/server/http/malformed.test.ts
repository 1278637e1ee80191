import { givenBoard } from '../../support/hooks.js';
import { filled, preview, publish } from '../../support/post.js';
import { randomUUID } from '../../support/random.js';
import { SURVEY, UNLIMITED } from '../polls/polling.js';
import { ratingTicket } from '../votes/rating.js';
import { nextTry, type Sent } from './literal-reader.js';
import {
  ADDRESS_ROWS,
  ballot,
  FIELD_ROWS,
  type Fields,
  json,
  LATER_ROWS,
  NAME_ROWS,
  PREVIEW,
  type Row,
  refusedAs,
  reply,
} from './malformed-rows.js';

describe('sixty and more malformed requests', () => {
  const test = givenBoard({ limits: UNLIMITED });
  let n = 0;

  before(() => publish(test, { poll: SURVEY }));

  const asked = async ({ method, path, type, body }: Sent) => {
    n += 1;
    const from = `198.51.100.${n % 250}`;
    if (method === 'GET')
      return await test
        .get(path, '198.51.100.1')
        .set('Accept', 'application/json');
    const request = test.as(from).post(path);
    if (type !== undefined) request.set('Content-Type', type);
    const isText = typeof body === 'string';
    return await request.send(isText ? body : JSON.stringify(body));
  };

  const published = async (
    more: (template: Fields) => Fields,
  ): Promise<Sent> => {
    const previewed = await preview(test, {});
    return json('/write/publish', more(filled(previewed)));
  };

  const changed = (by: (filled: Record<string, string>) => Fields) =>
    published((it) => ({ ...it, ...by(it as Record<string, string>) }));

  const ROWS: Row[] = [
    ...FIELD_ROWS,
    ...NAME_ROWS,
    ...ADDRESS_ROWS,
    ...LATER_ROWS,
    ...refusedAs('unknown_field', [
      [
        'a name of another field in publish',
        () => published(({ ticket, ...rest }) => ({ ...rest, token: ticket })),
      ],
    ]),
    ...refusedAs('wrong_answer', [
      [
        'an answer whose word is spelt',
        () =>
          changed(({ answer }) => ({ answer: answer?.replace(/\w$/, ' $&') })),
      ],
    ]),
    ...refusedAs('confirmation_required', [
      ['no confirmation', () => changed(() => ({ confirm: undefined }))],
    ]),
    ...refusedAs('invalid_input', [
      ['confirm: true', () => changed(() => ({ confirm: true }))],
    ]),
    ...refusedAs('ticket_invalid', [
      [
        'a ticket in quotes',
        () => changed(({ ticket }) => ({ ticket: `"${ticket}"` })),
      ],
    ]),
  ];

  it('are more than sixty', () => {
    expect(ROWS).to.have.length.above(60);
    expect(new Set(ROWS.map(([name]) => name)).size).to.equal(ROWS.length);
  });

  it('says of which kind a ticket is that comes to another address', async () => {
    const vote = await ratingTicket(test, 1, 1);
    const publishing = { ...vote, confirm: 'publish-publicly' };
    const other = await asked(json('/write/publish', publishing));
    expect(other.body.error).to.equal('ticket_invalid');
    expect(other.body.detail).to.include('looks like one of a vote');
    const { ticket, answer } = filled(await preview(test, {}));
    const votes = await asked(
      json('/api/messages/1/votes', { ticket, answer }),
    );
    expect(votes.body.error).to.equal('ticket_invalid');
    expect(votes.body.detail).to.include('looks like one of a message');
    for (const { body } of [other, votes]) {
      expect(body.detail).to.include('publish.url');
    }
  });

  it('says of a sealed ticket where it may belong', async () => {
    const previewed = await test
      .post(
        '/api/polls/1/votes/preview',
        { ...ballot, request_id: randomUUID() },
        '198.51.100.7',
      )
      .expect(200);
    const { ticket } = filled(previewed);
    const votes = json('/api/messages/1/votes', { ticket, answer: 'x' });
    const refused = await asked(votes);
    expect(refused.body.error).to.equal('ticket_invalid');
    expect(refused.body.detail).to.include('one of a ballot or of the rating');
  });

  it('judges the rest as it is with the right names', async () => {
    const { body } = await asked(reply({ parent_id: 1, body: '' }));
    const fields = body.faults.map(({ field }: Fields) => field);
    expect(fields).to.deep.equal(['parent_id', 'body']);
    expect(body.faults[0].detail).to.include('send its value as `reply_to`');
  });

  it('tells who deletes a message of the request for its removal', async () => {
    const { body } = await test
      .as('198.51.100.1')
      .delete('/api/messages/1')
      .expect(405);
    expect(body.detail).to.match(/`author_request` to \S+\/api\/reports;/);
  });

  it('says that an answer is a placeholder, which costs no attempt', async () => {
    const right = await published((it) => it);
    const fields = right.body as Fields;
    const sent = (answer: string) =>
      asked(json('/write/publish', { ...fields, answer }));
    for (const answer of ['YOUR_ANSWER', '<answer>']) {
      const { body } = await sent(answer);
      expect(body).to.include({ error: 'wrong_answer', attempts_left: 5 });
      expect(body.detail).to.include('placeholder');
    }
    expect((await sent('x')).body.attempts_left).to.equal(4);
    expect((await asked(right)).status).to.equal(201);
  });

  it('name at most twenty faults, however many there are', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`field${at}`, at]),
    );
    const { body } = await asked(json(PREVIEW, many));
    expect(body.faults).to.have.length(20);
  });

  for (const [name, refusal, send, wants = {}] of ROWS) {
    it(`${name}: ${refusal}, and the next try is right`, async () => {
      const sent = typeof send === 'function' ? await send() : send;
      const { body, text } = await asked(sent);
      // /mcp refuses in JSON-RPC, with the board's error in it.
      const refused = body.jsonrpc === undefined ? body : body.error.data;
      expect(refused.error, text).to.equal(refusal);
      const { faults, detail } = refused;
      if (faults !== undefined) {
        expect(faults[0]).to.deep.include({ error: refusal, detail });
      }
      const next = nextTry(sent, refused, wants);
      const answer = await asked(next);
      expect(
        answer.status,
        `${JSON.stringify(next)} ${answer.text}`,
      ).to.be.oneOf([200, 201]);
    });
  }
});

describe('an address whose escapes are no UTF-8', () => {
  const test = givenBoard({});

  for (const [path, code] of [
    ['/api/messages/%ff', 'message_not_found'],
    ['/api/thread/%c0%80', 'thread_not_found'],
    ['/api/requests/%ed%a0%80', 'message_not_found'],
    ['/api/polls/%e2%82?x=%ff', 'poll_not_found'],
    ['/api/%ff/1', 'not_found'],
  ] as const) {
    it(`names nothing: ${path}`, async () => {
      const answer = await test.as('203.0.113.7').get(path).expect(404);
      expect(answer.body.error).to.equal(code);
    });
  }
});
