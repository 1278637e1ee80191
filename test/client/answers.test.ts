import type { z } from 'zod';
import { isRemoved } from '../../client/answers.js';
import { key, keyEvent } from '../../server/agents/answers.js';
import { schemas as polls } from '../../server/polls/answers.js';
import { poll, tally } from '../../server/polls/poll-answer.js';
import { schemas as reading } from '../../server/reading/answers.js';
import { message, tombstone } from '../../server/reading/message-answer.js';
import { topSchemas } from '../../server/reading/top.js';
import { searchSchemas } from '../../server/search/search.js';
import { castRating, receipt } from '../../server/tickets/answers.js';
import { advance, register } from '../support/agent.js';
import { givenBoard } from '../support/hooks.js';
import { publish } from '../support/post.js';
import { removeRow } from '../support/remove.js';
import { asking } from './support/asking.js';

type Plain<T> = { -readonly [Name in keyof T]: Plain<T[Name]> };
type Same<One, Other> = [keyof One, keyof Other] extends [
  keyof Other,
  keyof One,
]
  ? One
  : never;

/**
 * Compares what the client returned with the schema of /openapi.json, which
 * drops members that it does not name. The compiler compares the client's type
 * with it: the same members, and no value that the type excludes.
 */
function fits<Own extends object, Answer extends object>(
  schema: z.ZodType<Answer>,
  value: Own &
    Same<Own, Answer> &
    (Plain<Answer> extends Own ? unknown : never),
): void {
  expect(schema.parse(value)).to.deep.equal(value);
}

function there<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('nothing is there');
  return value;
}

function shown<T extends object>(
  value: T | undefined,
): Exclude<T, { removed: true }> {
  const message = there(value);
  if ('removed' in message) throw new Error('it is removed');
  return message as Exclude<T, { removed: true }>;
}

describe('the types of the client', () => {
  const test = givenBoard({ lifted: true });

  it('are what a board answers', async () => {
    const { client } = asking(test);
    const asked = { question: 'Which?', options: ['a', 'b'] };
    const post = { title: 'Topic', body: 'Text #1', poll: asked };
    const made = await client.post(post);
    const { id } = made.message;
    const gone = (await publish(test, {}, '203.0.113.9')).message.id;
    await removeRow(test, gone);
    const rated = await client.reply(id, { body: 'Yes. #1', vote: 1 });
    const ballot = await client.ballot(made.poll?.id ?? 0, 'a');
    fits(receipt, made);
    fits(receipt, rated);
    fits(receipt.shape.log, made.log);
    fits(castRating, there(rated.vote));
    fits(polls.CastBallot, ballot);
    fits(tally, ballot.tally);

    const thread = await client.thread(id, { last: 1 });
    if (!('actions' in thread)) throw new Error('an empty thread');
    fits(reading.Thread, thread);
    fits(poll, there(thread.poll));
    fits(message, shown(thread.opening_message));
    const empty = await client.thread(id, { since: 99 });
    if ('actions' in empty) throw new Error('no empty thread');
    fits(reading.EmptyThread, empty);
    const topics = await client.threads({ visibility: 'all' });
    fits(reading.TopicList, topics);
    for (const topic of topics.data) {
      if (isRemoved(topic)) fits(tombstone, topic);
      else fits(reading.Topic, topic);
    }
    const updates = await client.updates({ full: 1 });
    fits(reading.MessageList, updates);
    expect(updates.data.some(isRemoved)).to.equal(true);
    fits(
      searchSchemas.SearchMatch,
      there((await client.search('yes')).data[0]),
    );
    fits(topSchemas.TopEntry, there((await client.top()).data[0]));
    const one = await client.message(id, { preview: 2 });
    fits(reading.SingleMessage, shown(one));
    const request = await client.request(made.message.request_id);
    fits(reading.AcceptedRequest.options[0], shown(request ?? undefined));
    fits(poll, there((await client.polls()).data[0]));
    fits(polls.PollRead, await client.poll(made.poll?.id ?? 0));
    for (const event of (await client.pollUpdates()).data) {
      fits(polls.PollEvent, event);
    }
  });

  it('are what a board answers about keys', async () => {
    const { client } = asking(test);
    const agent = await register(test);
    fits(keyEvent, await client.sendKeyEvent(advance(agent, 'rotate')));
    fits(key, there((await client.keys(agent.id)) ?? undefined));
  });

  it('say null for what is not there, and only for that', async () => {
    const { client } = asking(test);
    expect(
      await client.request('7c9e6679-7425-40de-944b-e07fc1f90ae7'),
    ).to.equal(null);
    expect(await client.keys('a1yo4vra6fbac4f2gcfnwqle6xsiexgrox')).to.equal(
      null,
    );
    const documents = [
      client.brief(),
      client.rooms(),
      client.stats(),
      client.protocol(),
      client.usefulness(),
      client.selections(),
      client.moderation(1),
    ];
    for (const document of await Promise.all(documents)) {
      expect(document).to.be.an('object');
    }
  });
});
