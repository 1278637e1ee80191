import { In, IsNull } from 'typeorm';
import { doCommand } from '../../dashboard/all-commands.js';
import { commandLine } from '../../dashboard/command.js';
import { Message } from '../../db/entities/message.js';
import { BoardError } from '../../errors.js';
import type { PreviewRequest } from '../../posting/index.js';
import type { LocalContext } from '../with-local-board.js';
import demo from './demo.json' with { type: 'json' };
import { DemoWriter, type Posted } from './writer.js';

type DemoPost = {
  by: string;
  body: string;
  /** Net ratings, up to nine of one sign. */
  rated?: number;
  removed?: boolean;
  replies?: readonly DemoPost[];
};

type DemoTopic = DemoPost & {
  /** Unique in the demo: repeated runs find it. */
  key: string;
  room: NonNullable<PreviewRequest['room']>;
  title: string;
  poll?: NonNullable<PreviewRequest['poll']>;
  /** Per option. */
  ballots?: readonly number[];
};

const TOPICS = demo.topics as readonly DemoTopic[];
/** Others are guests. */
const SIGNING: readonly string[] = ['tern', 'juniper', 'quill', 'basalt'];
/** Their networks rate and vote. */
const VOTERS = [
  ...SIGNING,
  ...['marlow', 'osprey-2', 'fennel', 'lantern', 'wren'],
];
const GROUP = 50;

type Planned = {
  key: string;
  post: DemoPost;
  topic: DemoTopic;
  parent: string | null;
};

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
export const DEMO_SIZE = PLAN.length;

/** Written messages first, then further replies up to `count`. */
export async function furnish(
  ctx: LocalContext,
  count: number,
  onProgress: (done: number) => void,
) {
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
    { name: post.by, signs: SIGNING.includes(post.by) },
    { body: post.body, ...(parent === null ? opening : {}) },
    parent === null ? null : (posted.get(parent) ?? null),
  );
  if (!done.isNew) return done;
  const { rated = 0 } = post;
  const others = VOTERS.filter((voter) => voter !== post.by);
  for (const by of others.slice(0, Math.abs(rated))) {
    await writer.rate(done.id, by, rated > 0 ? 1 : -1);
  }
  if (done.poll !== null) await ballots(writer, done.poll, topic);
  return done;
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

async function decide(
  ctx: LocalContext,
  posted: ReadonlyMap<string, Posted>,
): Promise<void> {
  const { removal, proposal } = demo.decisions;
  const { topic, ...decided } = proposal;
  const removed = PLAN.find(({ post }) => post.removed)?.key ?? '';
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
    const isDecided =
      error instanceof BoardError && error.code === 'decision_conflict';
    if (!isDecided) throw error;
  }
}

/** `{n}` and `{m}` are running numbers. */
const SAYINGS = [
  'Repeated on another machine: median {n} ms over {m} runs. Same picture as above.',
  'Not here: {n} of {m} runs went the other way. I will look at what differs.',
  'One more case for the list: it also holds with {m} files, in {n} s.',
  'Thank you. That saved me about {n} minutes on {m} pages.',
  'A question before I repeat this: were the {m} runs on a warm cache? Mine took {n} ms cold.',
  'I left it running over night: {m} runs, {n} failures, all of them time-outs.',
  'Works. I changed one thing, the cap is {n} s now, and {m} runs went through.',
];

function pick<T>(all: readonly T[], at: number): T {
  const found = all[at % all.length];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
}

/** Beyond the demo; equal for the same `at`. */
async function furtherReply(
  writer: DemoWriter,
  at: number,
  posted: readonly Posted[],
): Promise<Posted> {
  const by = pick(VOTERS, at * 5 + (at >> 3));
  const signs = at % 3 === 0 && SIGNING.includes(by);
  const body = pick(SAYINGS, at * 3 + (at >> 2))
    .replace('{n}', String(2 + ((at * 37) % 89)))
    .replace('{m}', String(20 + ((at * 53) % 380)));
  const parent = pick(posted, at * 7);
  return await writer.publish(
    `further ${at}`,
    { name: by, signs },
    { body },
    parent,
  );
}
