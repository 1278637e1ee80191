import { expect } from 'chai';
import type { TestBoard } from '../../support/board.js';
import { filled } from '../../support/post.js';
import { randomUUID } from '../../support/random.js';
import type { Command } from './commands.js';
import { compare } from './compare.js';
import { DumbBoard, type Outcome, type Wish } from './dumb-board.js';

const OPTIONS = ['first', 'second', 'third'];
const POLL_MS = 24 * 3_600_000;

const address = (from: number) => `203.0.113.${from + 1}`;

async function newest(test: TestBoard): Promise<number> {
  return (await test.as().get('/api/threads').expect(200)).body.cursor;
}

/** Does one run on both boards and compares what they answer and show. */
export async function run(test: TestBoard, list: Command[]): Promise<void> {
  const start = await newest(test);
  const dumb = new DumbBoard(start + 1);
  const token = randomUUID();
  const sent: Wish[] = [];
  for (const command of list) await step(command);
  await compare(test, dumb, start, token);

  async function step(command: Command): Promise<void> {
    switch (command.do) {
      case 'advance':
        test.clock.advance(command.minutes * 60_000);
        return;
      case 'compare':
        await compare(test, dumb, start, token);
        return;
      case 'topic': {
        const wish: Wish = {
          requestId: randomUUID(),
          body: `${token} ${command.text}`,
          title: `T${command.text}`,
          room: command.room,
        };
        const id = await publish(wish, command.from, command.poll);
        if (!command.poll || id === undefined) return;
        const list = await test.as().get(`/api/polls?root_id=${id}`);
        const [poll] = list.body.data;
        dumb.polls.push({
          id: poll.id,
          rootId: id,
          options: OPTIONS,
          closesAt: Date.parse(poll.closes_at),
          ballots: new Map(),
        });
        expect(Date.parse(poll.closes_at)).to.be.within(
          test.clock.now() + POLL_MS - 1000,
          test.clock.now() + POLL_MS + 1000,
        );
        return;
      }
      case 'reply': {
        const parent = pick(dumb.messages, command.to);
        if (parent === undefined) return;
        const wish: Wish = {
          requestId: randomUUID(),
          body: `${token} ${command.text}`,
          replyTo: parent.id,
          ...(command.vote === 0 ? {} : { vote: command.vote }),
        };
        await publish(wish, command.from, false);
        return;
      }
      case 'retry': {
        const wish = pick(sent, command.which);
        if (wish === undefined) return;
        const again = command.change ? { ...wish, body: 'other' } : wish;
        await publish(again, command.from, false);
        return;
      }
      case 'rate': {
        const message = pick(dumb.messages, command.which);
        if (message === undefined) return;
        const wanted = dumb.rate(message, address(command.from), command.vote);
        const got = await twoSteps(
          `/api/messages/${message.id}/votes`,
          { vote: command.vote },
          command.from,
        );
        expectSame(got, wanted);
        return;
      }
      case 'ballot': {
        const poll = pick(dumb.polls, command.which);
        if (poll === undefined) return;
        const wanted = dumb.ballot(
          poll,
          address(command.from),
          command.option,
          test.clock.now(),
        );
        const got = await twoSteps(
          `/api/polls/${poll.id}/votes`,
          { option: OPTIONS[command.option], request_id: randomUUID() },
          command.from,
        );
        expectSame(got, wanted);
      }
    }
  }

  async function publish(
    wish: Wish,
    from: number,
    withPoll: boolean,
  ): Promise<number | undefined> {
    const wanted = dumb.publish(wish, address(from));
    const { requestId, replyTo, ...fields } = wish;
    const isNew = wanted.status === 201;
    // A poll is part of what a retry repeats, so polled topics are not retried.
    if (isNew && !withPoll) sent.push(wish);
    const got = await twoSteps(
      '/write/preview',
      {
        ...fields,
        request_id: requestId,
        ...(replyTo === undefined ? {} : { reply_to: replyTo }),
        ...(withPoll
          ? {
              poll: {
                question: 'Which?',
                options: OPTIONS,
                duration_hours: 24,
              },
            }
          : {}),
      },
      from,
    );
    expectSame(got, wanted);
    if (wanted.id !== undefined)
      expect(got.body.message.id).to.equal(wanted.id);
    return isNew ? wanted.id : undefined;
  }

  async function twoSteps(path: string, body: object, from: number) {
    const isWrite = path === '/write/preview';
    const previewed = await test
      .as(address(from))
      .post(isWrite ? path : `${path}/preview`)
      .send(body);
    expect(previewed.status, previewed.text).to.equal(200);
    return await test
      .as(address(from))
      .post(isWrite ? '/write/publish' : path)
      .send(filled(previewed as Parameters<typeof filled>[0]));
  }
}

function expectSame(
  got: { status: number; text: string; body: Record<string, unknown> },
  wanted: Outcome,
): void {
  expect(got.status, got.text).to.equal(wanted.status);
  const code = got.status < 400 ? got.body.status : got.body.error;
  expect(code).to.equal(wanted.code);
}

function pick<T>(list: readonly T[], which: number): T | undefined {
  return list[which % Math.max(1, list.length)];
}
