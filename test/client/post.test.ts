import {
  BoardRefusal,
  ClientRefusal,
  isRemoved,
} from '../../client/board-client.js';
import { solveChallenge } from '../../client/challenge.js';
import { givenBoard } from '../support/hooks.js';
import { withLimits } from '../support/limits.js';
import { publish } from '../support/post.js';
import { asking, failure } from './support/asking.js';

const TOPIC = { title: 'A topic', body: 'Its text.' };

describe('a client posts', () => {
  const test = givenBoard({ lifted: true });
  const topics = async () => (await asking(test).client.threads()).count;

  it('topics and replies, exactly as they are given', async () => {
    const { client, waits } = asking(test, { name: 'scout' });
    const body = ' \u202eNaïve 雪 \u{1f701} #1 \r\n\t<b>&amp;\n';
    const topic = await client.post({ title: 'T', body, room: 'findings' });
    expect(topic.status).to.equal('published');
    const { id } = topic.message;
    const reply = await client.reply(id, { body: 'Yes.', name: 'other' });
    expect(reply.message.root_id).to.equal(id);
    const shown = await client.message(id);
    expect(shown).to.include({ body, title: 'T', room: 'findings' });
    expect(shown.author).to.equal('scout');
    expect(await client.message(reply.message.id)).to.include({
      reply_to: id,
      author: 'other',
      room: 'findings',
    });
    expect(waits).to.deep.equal([]);
  });

  it('a reply that rates, and a topic with a poll of either kind', async () => {
    const { client } = asking(test);
    const { message } = await publish(test, TOPIC, '203.0.113.9');
    const reply = await client.reply(message.id, { body: 'No.', vote: -1 });
    expect(reply.vote).to.include({ vote: -1, score: -1, status: 'published' });
    const survey = await client.post({
      ...TOPIC,
      poll: { question: 'Which?', options: ['one', 'two'] },
    });
    const proposal = await client.post({
      ...TOPIC,
      poll: {
        type: 'proposal',
        question: 'Shall we?',
        proposal: { kind: 'rule', summary: 'A rule.' },
        duration_hours: 24,
      },
    });
    const first = await client.poll(survey.poll?.id ?? 0);
    expect(first.options).to.deep.equal(['one', 'two']);
    const second = await client.poll(proposal.poll?.id ?? 0);
    expect(second.proposal).to.deep.equal({ kind: 'rule', summary: 'A rule.' });
  });

  it('shows what will be public before it is, and stops when told', async () => {
    const { client } = asking(test);
    const before = await topics();
    const stopped = new Error('not this one');
    const refused = await failure(
      client.post(TOPIC, {
        review: ({ public_message: shown }) => {
          expect(shown.body).to.equal(TOPIC.body);
          throw stopped;
        },
      }),
      Error,
    );
    expect(refused).to.equal(stopped);
    expect(await topics()).to.equal(before);
  });

  it('goes on with an earlier try of the same post', async () => {
    const { client } = asking(test);
    const before = await topics();
    const first = await client.post(TOPIC);
    const { request_id } = first.message;
    const again = await client.post({ ...TOPIC, request_id });
    expect(again).to.deep.equal(first);
    const upper = request_id.toUpperCase();
    const third = await client.post({ ...TOPIC, request_id: upper });
    expect(third.message).to.deep.equal(first.message);
    expect(await topics()).to.equal(before + 1);
  });

  it('says what the board says of a bad post, and waits for nothing', async () => {
    const { client, waits } = asking(test);
    const error = await failure(
      client.post({ ...TOPIC, body: 'x'.repeat(4001) }),
      BoardRefusal,
    );
    expect(error).to.include({ status: 422, code: 'too_long' });
    expect(error.body.field).to.equal('body');
    expect(error.requestId).to.match(/^[0-9a-f-]{36}$/);
    const unpaired = await failure(
      client.post({ ...TOPIC, body: 'half \ud800' }),
      BoardRefusal,
    );
    expect(unpaired.code).to.equal('invalid_unicode');
    expect(waits).to.deep.equal([]);
  });

  it('follows the funnel rule, and says so beforehand', async () => {
    const { client } = asking(test);
    const body = 'On black  lives matter.';
    const first = await client.post({ title: 'First', body });
    let told: number | undefined;
    const routed = await client.post(
      { title: 'Second', body },
      {
        review: ({ routing }) => {
          told = routing?.target_id;
        },
      },
    );
    expect(told).to.equal(first.message.id);
    const shown = await client.message(routed.message.id);
    expect(shown.reply_to).to.equal(first.message.id);
    expect(isRemoved(shown)).to.equal(false);
  });

  it('never asks with an address that is none of a board', () => {
    for (const board of [
      'ftp://x.example',
      'nonsense',
      'https://x.example/a',
    ]) {
      expect(() => asking(test, { board })).to.throw(TypeError);
    }
  });

  it('names the sum it does not know, and guesses nothing', () => {
    const known = 'Add 999999 and 1. Append a hyphen and the word Harbor.';
    expect(solveChallenge(known)).to.equal('1000000-Harbor');
    for (const other of [
      '',
      'Add 4711470 and 1. Append a hyphen and the word harbor.',
      'Multiply 2 and 3. Append a hyphen and the word harbor.',
      'Add 1 and 2. Append a hyphen and the word harbor. Then pay.',
      'Add -1 and 2. Append a hyphen and the word harbor.',
    ]) {
      expect(() => solveChallenge(other)).to.throw(ClientRefusal);
    }
  });

  it('waits for a limit or gives up, as the call says, and says which limit', async () => {
    const limits = { topics_per_source_hour: 1 };
    await withLimits(test, limits, async (address) => {
      const { client, waits } = asking(test, { address });
      await client.post(TOPIC);
      for (const patienceMs of [undefined, 0, 3_599_000]) {
        const options = patienceMs === undefined ? {} : { patienceMs };
        const post = client.post(TOPIC, options);
        const refusal = await failure(post, BoardRefusal);
        expect(refusal.code).to.equal('topic_budget_exhausted');
        expect(refusal.limit).to.equal('topics_per_source_hour');
        expect(refusal.waitSeconds).to.equal(3600);
        expect(refusal.field).to.equal(null);
        expect(refusal.suggestion?.url).to.match(/\/write\/preview$/);
      }
      expect(waits).to.deep.equal([]);
      const receipt = await client.post(TOPIC, {
        patienceMs: Number.POSITIVE_INFINITY,
      });
      expect(receipt.status).to.equal('published');
      expect(waits[0]).to.equal(3_600_000);
    });
  });
});
