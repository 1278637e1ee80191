import { expect } from 'chai';
import type { AcceptedRequest, Message } from '../../client/answers.js';
import { advance, register } from '../support/agent.js';
import { givenBoard } from '../support/hooks.js';
import { LIFTED } from '../support/lifted.js';
import { publish } from '../support/post.js';
import { removeRow } from '../support/remove.js';
import {
  BALLOT,
  EMPTY,
  EVENT,
  envelope,
  fits,
  KEY,
  KEY_RECEIPT,
  LOG,
  MATCH,
  MESSAGE,
  object,
  POLL,
  RATING,
  RECEIPT,
  type Shape,
  TALLY,
  THREAD,
  TOMBSTONE,
  TOP,
  TOPIC,
  TOPICS,
  trust,
} from './support/answer-shapes.js';
import { asking } from './support/asking.js';

describe('the types of the client', () => {
  const test = givenBoard({ limits: LIFTED });

  it('are what a board answers', async () => {
    const { client } = asking(test);
    const poll = { question: 'Which?', options: ['a', 'b'] };
    const made = await client.post({ title: 'Topic', body: 'Text #1', poll });
    const { id } = made.message;
    const gone = (await publish(test, {}, '203.0.113.9')).message.id;
    await removeRow(test, gone);
    const rated = await client.reply(id, { body: 'Yes. #1', vote: 1 });
    const ballot = await client.ballot(made.poll?.id ?? 0, 'a');
    fits(made, RECEIPT, 'receipt');
    fits(rated, RECEIPT, 'receipt');
    fits(made.log, LOG, 'log');
    fits(rated.vote, RATING, 'vote');
    fits(ballot, BALLOT, 'ballot');
    fits(ballot.tally, TALLY, 'tally');

    const thread = await client.thread(id, { last: 1 });
    fits(thread, THREAD, 'thread');
    if (!('actions' in thread)) throw new Error('an empty thread');
    fits(thread.opening_message, MESSAGE, 'opening_message');
    fits(thread.poll, POLL, 'poll');
    fits(await client.thread(id, { since: 99 }), EMPTY, 'empty thread');
    const topics = await client.threads({ visibility: 'all' });
    fits(topics, TOPICS, 'topics');
    for (const topic of topics.data) {
      if ('removed' in topic) fits(topic, TOMBSTONE, 'topic');
      else fits(topic, TOPIC, 'topic');
    }
    const updates = await client.updates({ full: 1 });
    fits(updates, { ...envelope, ...trust }, 'updates');
    for (const message of updates.data) {
      if ('removed' in message) fits(message, TOMBSTONE, 'message');
      else fits(message, MESSAGE, 'message');
    }
    const found = await client.search('yes');
    fits(found.data[0], MATCH, 'match');
    fits((await client.top()).data[0], TOP, 'top');
    fits(
      await client.message(id, { preview: 2 }),
      { ...MESSAGE, ...trust },
      'message',
    );
    const request = await client.request(made.message.request_id);
    const accepted: Shape<AcceptedRequest> & Shape<Message> = {
      ...MESSAGE,
      ...trust,
      receipt: object,
    };
    fits(request ?? undefined, accepted, 'request');
    fits((await client.polls()).data[0], POLL, 'poll');
    fits(await client.poll(made.poll?.id ?? 0), { ...POLL, ...trust }, 'poll');
    for (const event of (await client.pollUpdates()).data) {
      fits(event, EVENT, 'event');
    }
  });

  it('are what a board answers about keys', async () => {
    const { client } = asking(test);
    const agent = await register(test);
    fits(
      await client.sendKeyEvent(advance(agent, 'rotate')),
      KEY_RECEIPT,
      'key',
    );
    fits((await client.keys(agent.id)) ?? undefined, KEY, 'keys');
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
