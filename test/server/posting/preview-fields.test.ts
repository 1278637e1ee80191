import { BudgetSpend } from '../../../server/db/entities/budget.js';
import { givenBoard } from '../../support/hooks.js';
import { publish, request } from '../../support/post.js';
import { randomUUID } from '../../support/random.js';
import { rows } from '../../support/rows.js';
import { expectRefusal, invalid, tooLong } from './refusals.js';

const GRIN = '\u{1f600}'; // one code point, two UTF-16 units
const BLANKS = [
  '',
  ' ',
  '\t\r\n\v\f',
  '\u00a0\u2003\u3000\u2028',
  '\u200b',
  '\ufeff',
  '\u00ad',
  '\u2060\u200d\u202e',
  ' \u200b\n\u{e0020} ',
];

describe('POST /write/preview: fields', () => {
  const test = givenBoard({ lifted: true });
  const root = 1; // the board's first message

  before(() => publish(test));

  const send = (body: object | string) =>
    test
      .as()
      .post('/write/preview')
      .set('Content-Type', 'application/json')
      .send(body);

  for (const [field, max] of [
    ['body', 4000],
    ['title', 180],
    ['name', 48],
  ] as const) {
    it(`counts ${field} in code points: ${max} pass, one more is 422`, async () => {
      for (const unit of ['a', GRIN, '\u0301', '\u6f22']) {
        const fits = `a${unit.repeat(max - 1)}`;
        const answer = await send(request({ [field]: fits }));
        expect(answer.status, answer.text.slice(0, 200)).to.equal(200);
        const member = field === 'name' ? 'author' : field;
        expect(answer.body.public_message[member]).to.equal(fits);
        const long = await send(request({ [field]: `${fits}${unit}` }));
        expectRefusal(long, tooLong(field));
      }
    });

    it(`refuses a blank ${field}`, async () => {
      for (const blank of BLANKS) {
        const answer = await send(request({ [field]: blank }));
        expectRefusal(answer, invalid(field));
      }
    });
  }

  it('takes what is visible between invisible characters as it is', async () => {
    for (const text of ['\u200bx\u200b', ' . ', '\u0301', '\u{e0041}x']) {
      const answer = await send(request({ body: text, title: text }));
      expect(answer.status).to.equal(200);
      const { body, title } = answer.body.public_message;
      expect([body, title]).to.deep.equal([text, text]);
    }
  });

  it('needs a title for a topic', async () => {
    const { title: _, ...rest } = request();
    expectRefusal(await send(rest), invalid('title'));
    expect((await send(request({ reply_to: root }))).status).to.equal(200);
  });

  it('takes any version of UUID and lower-cases it', async () => {
    for (const uuid of [
      '00000000-0000-0000-0000-000000000001',
      'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFE',
      '11111111-1111-1111-1111-111111111111',
      'A987FBC9-4BED-3078-CF07-9141BA07C9F3',
    ]) {
      const answer = await send(request({ request_id: uuid }));
      expect(answer.body.request_id).to.equal(uuid.toLowerCase());
    }
    const uuid = randomUUID();
    for (const bad of [
      uuid.replaceAll('-', ''),
      `{${uuid}}`,
      `urn:uuid:${uuid}`,
      `${uuid} `,
      uuid.slice(1),
      `g${uuid.slice(1)}`,
      '',
    ]) {
      const answer = await send(request({ request_id: bad }));
      expectRefusal(answer, invalid('request_id'));
    }
  });

  it('takes reply_to as null or the ID of a message', async () => {
    const nothing = await send({ ...request(), reply_to: null });
    expect(nothing.body.public_message.reply_to).to.equal(null);
    const one = JSON.stringify({ ...request(), reply_to: root });
    const decimal = await send(one.replace(`:${root}}`, `:${root}.0}`));
    expect(decimal.body.public_message.reply_to).to.equal(root);
    expectRefusal(
      await send(request({ reply_to: 999_999 })),
      invalid('reply_to'),
    );
  });

  it('takes the four rooms only, on a reply too, where it is ignored', async () => {
    for (const room of ['lobby', 'findings', 'questions', 'workshop']) {
      const topic = await send(request({ room }));
      expect(topic.body.public_message.room).to.equal(room);
      const reply = await send(request({ room, reply_to: root }));
      expect(reply.body.public_message.room).to.equal('lobby');
    }
    const wrong = request({ reply_to: root, room: 'Lobby' });
    expectRefusal(await send(wrong), invalid('room'));
  });

  it('ignores the title of a reply, but not its form', async () => {
    const reply = await send(request({ reply_to: root, title: 'Ignored' }));
    expect(reply.body.public_message).not.to.have.property('title');
    const long = request({ reply_to: root, title: 'a'.repeat(181) });
    expectRefusal(await send(long), tooLong('title'));
    const blank = request({ reply_to: root, title: ' ' });
    expectRefusal(await send(blank), invalid('title'));
  });

  it('takes a vote of -1, 0 or 1, nonzero on replies only', async () => {
    for (const vote of [1, -1]) {
      expectRefusal(await send(request({ vote })), invalid('vote'));
      const reply = await send(request({ vote, reply_to: root }));
      expect(reply.body.public_vote).to.deep.equal({ message_id: root, vote });
    }
    for (const post of [{ vote: 0 }, { vote: 0, reply_to: root }]) {
      const answer = await send(request(post)).expect(200);
      expect(answer.body).not.to.have.any.keys('public_vote', 'existing_vote');
    }
  });

  it('spends no preview on what it refuses for its form', async () => {
    const one = '198.51.100.77';
    const spent = () => rows(test).countBy(BudgetSpend, { scope: 'preview' });
    const before = await spent();
    for (const bad of [{ body: ' ' }, { vote: 3 }, { x: 1 }, { title: null }]) {
      const body = { ...request(), ...bad };
      const answer = await test.as(one).post('/write/preview').send(body);
      expect(answer.status).to.equal(400);
    }
    expect(await spent()).to.equal(before);
    const missing = request({ reply_to: 999_999 });
    await test.as(one).post('/write/preview').send(missing);
    expect(await spent()).to.equal(before + 1);
  });
});
