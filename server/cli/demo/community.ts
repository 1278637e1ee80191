import { In, IsNull } from 'typeorm';
import { commandLine } from '../../dashboard/commands/command.js';
import { doCommand } from '../../dashboard/commands/list.js';
import { Message } from '../../db/entities/message.js';
import { BoardError } from '../../errors.js';
import type { LocalContext } from '../with-local-board.js';
import { FINDINGS } from './findings.js';
import { furtherReply } from './further.js';
import { DECISIONS, POLLS } from './polls.js';
import {
  type DemoName,
  type DemoPost,
  type DemoTopic,
  SIGNING,
  VOTERS,
} from './post.js';
import { TALK, TOO_PRIVATE } from './talk.js';
import { DemoWriter, type Posted } from './writer.js';

const TOPICS: readonly DemoTopic[] = [...TALK, ...FINDINGS, ...POLLS];
/** Further replies are posted in groups of this size. */
const GROUP = 50;

type Planned = {
  key: string;
  post: DemoPost;
  topic: DemoTopic;
  /** The key of what it answers. */
  parent: string | null;
};

/** Topics first, then what was said to them, level by level. */
function plan(): Planned[] {
  let level: Planned[] = TOPICS.map((topic) => {
    return { key: topic.key, post: topic, topic, parent: null };
  });
  const all: Planned[] = [];
  while (level.length > 0) {
    all.push(...level);
    level = level.flatMap(({ key, post, topic }) =>
      (post.replies ?? []).map((reply, at) => {
        return { key: `${key}/${at}`, post: reply, topic, parent: key };
      }),
    );
  }
  return all;
}

const PLAN = plan();
/** Messages of the whole demo. */
export const DEMO_SIZE = PLAN.length;

export type Seeded = {
  /** Messages that were posted now. */
  posted: number;
  /** Messages that an earlier run posted. */
  known: number;
};

/**
 * Furnishes a board with `count` messages of a small community: those that were
 * written for it, with their ratings, ballots and decisions, then as many
 * further replies as are asked for.
 */
export async function furnish(
  ctx: LocalContext,
  count: number,
  onProgress: (done: number) => void,
): Promise<Seeded> {
  const writer = new DemoWriter(ctx);
  const posted = new Map<string, Posted>();
  for (const one of PLAN.slice(0, count)) {
    posted.set(one.key, await publish(writer, one, posted));
    onProgress(posted.size);
  }
  if (count >= DEMO_SIZE) await decide(ctx, posted);
  const all = [...posted.values()].map(({ isNew }) => isNew);
  const open = count > all.length ? await notRemoved(ctx, posted) : [];
  while (all.length < count) {
    const from = all.length;
    const size = Math.min(GROUP, count - from);
    const group = Array.from({ length: size }, (_, at) => from + at);
    const done = await Promise.all(
      group.map((at) => furtherReply(writer, at, open)),
    );
    all.push(...done.map(({ isNew }) => isNew));
    onProgress(all.length);
  }
  const news = all.filter((isNew) => isNew).length;
  return { posted: news, known: all.length - news };
}

/** What can still be answered. */
async function notRemoved(
  { writes }: LocalContext,
  posted: ReadonlyMap<string, Posted>,
): Promise<Posted[]> {
  const all = [...posted.values()];
  const ids = all.map(({ id }) => id);
  const rows = await writes.manager.find(Message, {
    select: { id: true },
    where: { id: In(ids), removedAt: IsNull() },
  });
  const open = new Set(rows.map(({ id }) => id));
  return all.filter(({ id }) => open.has(id));
}

async function publish(
  writer: DemoWriter,
  { key, post, topic, parent }: Planned,
  posted: ReadonlyMap<string, Posted>,
): Promise<Posted> {
  const { title, room, poll } = topic;
  const opening = { title, room, ...(poll === undefined ? {} : { poll }) };
  const done = await writer.publish(
    key,
    { name: post.by, signs: SIGNING.some((name) => name === post.by) },
    { body: post.body, ...(parent === null ? opening : {}) },
    parent === null ? null : (posted.get(parent) ?? null),
  );
  if (!done.isNew) return done;
  const { rated = 0 } = post;
  for (const by of others(post.by).slice(0, Math.abs(rated))) {
    await writer.rate(done.id, by, rated > 0 ? 1 : -1);
  }
  if (done.poll !== null) await ballots(writer, done.poll, topic);
  return done;
}

function others(name: DemoName): DemoName[] {
  return VOTERS.filter((voter) => voter !== name);
}

async function ballots(
  writer: DemoWriter,
  poll: number,
  { ballots: wanted = [] }: DemoTopic,
): Promise<void> {
  const choices = wanted.flatMap((votes, option) =>
    Array.from({ length: votes }, () => option),
  );
  for (const [at, option] of choices.entries()) {
    await writer.vote(poll, VOTERS[at] ?? '', option);
  }
}

/** What an operator decides about the demo, as `reserve-board decision` does. */
async function decide(
  ctx: LocalContext,
  posted: ReadonlyMap<string, Posted>,
): Promise<void> {
  const { removal, proposal } = DECISIONS;
  const { topic, ...decided } = proposal;
  const removed = PLAN.find(({ post }) => post === TOO_PRIVATE)?.key ?? '';
  const message = posted.get(removed);
  const poll = posted.get(topic)?.poll;
  if (message?.isNew) {
    await record(ctx, { ...removal, action: 'remove', id: message.id });
  }
  if (poll != null) {
    await record(ctx, { ...decided, action: 'poll_decision', id: poll });
  }
}

async function record(ctx: LocalContext, decision: object): Promise<void> {
  try {
    await doCommand(ctx, commandLine('operator'), 'decision.record', decision);
  } catch (error) {
    // Decided already, by an earlier run or by somebody else.
    const isDecided =
      error instanceof BoardError && error.code === 'decision_conflict';
    if (!isDecided) throw error;
  }
}
