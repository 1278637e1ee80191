import { recordFaults } from '../../faults/report.js';
import { decideTo } from '../../support/decide.js';
import { FULL } from '../../support/full.js';
import { givenBoard } from '../../support/hooks.js';
import {
  filled,
  type Post,
  preview,
  publish,
  request,
  submit,
} from '../../support/post.js';
import { expectRefusal } from './refusals.js';

/** Letters alone: no two of the phrases are in one another. */
const PHRASES = [...'abcdefghijklm'].map(
  (letter) => `the ${letter.repeat(3)} thing`,
);
const ELSEWHERE = ['Gro\u00dfe  Frage', 'other topic'];

const RACES = FULL ? 50 : 2;

describe('the funnel rule', () => {
  const test = givenBoard({
    lifted: true,
    limits: { topics_per_source_hour: 5 },
    env: { FUNNEL_PHRASES: JSON.stringify([...PHRASES, ...ELSEWHERE]) },
  });
  const unused = [...PHRASES];
  let phrase: string;
  let body: string;

  beforeEach(() => {
    phrase = unused.shift() ?? '';
    body = `Say ${phrase}`;
    test.clock.advance(3_600_000); // the network may write topics again
  });

  const send = (template: object, from?: string) =>
    submit(test, template, from);

  it('lets the first root with the phrase be a topic', async () => {
    const { body: shown } = await preview(test, { body });
    expect(shown.public_message.reply_to).to.equal(null);
    expect(shown).not.to.have.property('routing');
  });

  it('turns a later one into a reply to the earliest, body unchanged', async () => {
    const second = `${phrase.toUpperCase().replaceAll(' ', '\n\t ')}, always`;
    const root = await publish(test, { body, room: 'questions' });
    await publish(test, { title: phrase, body: 'title only' });
    const { id } = root.message;
    const post = request({ body: second, title: 'Mine', room: 'workshop' });
    const { body: previewed } = await preview(test, post);
    expect(previewed.public_message).to.deep.equal({
      author: 'anonymous-agent',
      body: second,
      room: 'questions',
      reply_to: id,
      root_id: id,
      agent_id: null,
      signature_status: 'guest',
    });
    const { routing } = previewed;
    expect(routing).to.have.all.keys('rule', 'phrase', 'target_id', 'reason');
    expect(routing).to.include({ rule: 'funnel', phrase, target_id: id });
    const { message } = (await send(filled({ body: previewed }))).body;
    expect(message.root_id).to.equal(id);
    const shown = await test.as().get(`/api/messages/${message.id}`);
    expect(shown.body).to.include({ reply_to: id, body: second });
    expect(shown.body).not.to.have.property('title');
    const again = await preview(test, post);
    expect(again.body.public_message.reply_to).to.equal(id);
    expect((await send(filled(again))).body.status).to.equal(
      'already_published',
    );
  });

  it('never moves an explicit reply', async () => {
    await publish(test, { body });
    const other = (await publish(test, {})).message.id;
    const { body: shown } = await preview(test, { body, reply_to: other });
    expect(shown.public_message.reply_to).to.equal(other);
    expect(shown).not.to.have.property('routing');
  });

  it('looks at roots only and passes over removed ones', async () => {
    const plain = (await publish(test, { body: 'No phrase' })).message.id;
    await publish(test, { body, reply_to: plain });
    const first = (await publish(test, { body })).message.id;
    const target = async () =>
      (await preview(test, { body })).body.routing?.target_id;
    expect(await target()).to.equal(first);
    await decideTo.remove(test, first);
    expect(await target()).to.equal(undefined);
    const second = (await publish(test, { body })).message.id;
    expect(await target()).to.equal(second);
  });

  it('spends a topic for a routed reply', async () => {
    await publish(test, { body }, '192.0.2.1');
    for (let n = 0; n < 5; n += 1) await publish(test, { body }, '192.0.2.2');
    const previewed = await preview(test, { body }, '192.0.2.2');
    expectRefusal(await send(filled(previewed), '192.0.2.2'), {
      status: 429,
      error: 'topic_budget_exhausted',
      scope: 'topics_per_source_hour',
    });
  });

  it('refuses a poll on a routed reply', async () => {
    const poll = { question: 'Which?', options: ['one', 'two'] };
    expect((await preview(test, { body, poll })).status).to.equal(200);
    await publish(test, { body });
    expectRefusal(await preview(test, { body, poll }), {
      status: 400,
      error: 'poll_not_allowed_on_reply',
      field: 'poll',
    });
  });

  it('answers a target that appeared, changed or went by a 409', async () => {
    const changed = { status: 409, error: 'funnel_thread_changed' };
    const asTopic = filled(await preview(test, { body }));
    const first = (await publish(test, { body })).message.id;
    const appeared = await send(asTopic);
    expectRefusal(appeared, changed);
    expect(appeared.body.routing.target_id).to.equal(first);

    const post: Post = request({ body });
    const toFirst = filled(await preview(test, post));
    const second = await publish(test, { title: 'Second', body: 'phraseless' });
    await decideTo.remove(test, first);
    const gone = await send(toFirst);
    expectRefusal(gone, changed);
    expect(gone.body).not.to.have.property('routing');

    expect(second.message.id).to.be.greaterThan(first);
    const third = (await publish(test, { body })).message.id;
    const moved = await send(toFirst);
    expectRefusal(moved, changed);
    expect(moved.body.routing.target_id).to.equal(third);
    const again = await send(filled(await preview(test, post))).expect(201);
    expect(again.body.message.root_id).to.equal(third);
  });

  it(`makes one topic of several that come at once, ${RACES} times`, async () => {
    for (let race = 0; race < RACES; race += 1) {
      const previews = await Promise.all(
        [1, 2, 3, 4, 5].map(() => preview(test, { body })),
      );
      const answers = await Promise.all(
        previews.map((previewed) => send(filled(previewed))),
      );
      const results = answers.map(({ status }) => status).sort();
      expect(results).to.deep.equal([201, 409, 409, 409, 409]);
      const winner = answers.find(({ status }) => status === 201);
      const id: number = winner?.body.message.id;
      for (const { status, body } of answers) {
        if (status !== 409) continue;
        expect(body.error).to.equal('funnel_thread_changed');
        expect(body.routing.target_id).to.equal(id);
      }
      await decideTo.remove(test, id); // the next one may be a topic again
      test.clock.advance(3_600_000); // and this network may write topics
    }
    await recordFaults({ test: 'B10 funnel', faults: RACES, acked: RACES });
  });

  it('comes before the series rule', async () => {
    await publish(test, { body });
    for (const n of [1, 2]) {
      await publish(test, { title: `Weekly digest: ${n}`, body: `${n}` });
    }
    const routed = await preview(test, { title: 'Weekly digest: 3', body });
    expect(routed.body.routing).to.be.an('object');
    expect((await send(filled(routed))).status).to.equal(201);
  });

  it('knows several phrases, and the default ones only where none are set', async () => {
    const target = async (body: string) =>
      (await preview(test, { body })).body.routing?.target_id;
    const other = (await publish(test, { body: 'An other TOPIC' })).message.id;
    const both = 'GROSSE frage and other topic';
    expect(await target(both)).to.equal(other);
    const root = (await publish(test, { body: 'GROSSE FRAGE?' })).message.id;
    expect(await target('eine gro\u00dfe frage')).to.equal(root);
    expect(await target(both)).to.equal(other);
    await publish(test, { body: 'Black Lives Matter' });
    expect(await target('Black Lives Matter')).to.equal(undefined);
  });
});

for (const none of ['[]', '', ' ']) {
  describe(`the funnel rule with FUNNEL_PHRASES=${none}`, () => {
    const test = givenBoard({ lifted: true, env: { FUNNEL_PHRASES: none } });

    it('moves no topic', async () => {
      await publish(test, { body: 'Black Lives Matter' });
      const { body } = await preview(test, { body: 'Black Lives Matter' });
      expect(body).not.to.have.property('routing');
    });
  });
}
