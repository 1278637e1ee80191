import type { Test } from 'supertest';
import { type Entry, parseEntry } from '../../../protocol/entry.js';
import { Ballot } from '../../../server/db/entities/poll.js';
import type { LimitName } from '../../../server/limits.js';
import type { TestBoard } from '../../support/board.js';
import { LIFTED } from '../../support/lifted.js';
import { readerOf, readLeaves } from '../../support/log-reader.js';
import { filled, type Post, publish } from '../../support/post.js';
import { freshNetwork, randomUUID } from '../../support/random.js';
import { rows } from '../../support/rows.js';
import { untilHeard } from '../../support/until-heard.js';

export type Answer = Awaited<Test>;

const PLENTY = 1_000_000;

const BALLOT_LIMITS = [
  'ballots_per_network_minute',
  'ballots_per_network_hour',
  'ballots_per_board_minute',
  'ballot_previews_per_network_hour',
  'ballot_previews_per_board_minute',
  'ballot_attempts_per_network_minute',
  'ballot_attempts_per_board_minute',
  'open_polls_max',
] as const satisfies readonly LimitName[];

/** The limits of posting and of ballots out of the way. */
export const UNLIMITED: Partial<Record<LimitName, number>> = {
  ...LIFTED,
  ...Object.fromEntries(BALLOT_LIMITS.map((name) => [name, PLENTY])),
};

export const HOUR_MS = 3_600_000;

export const SURVEY = { question: 'Which one?', options: ['a', 'b', 'c'] };

export const PROPOSAL = {
  type: 'proposal',
  question: 'Shall we?',
  proposal: { kind: 'rule', summary: 'One rule less.' },
};

export type Opened = { id: number; rootId: number };

export async function openPoll(
  test: TestBoard,
  poll: object = SURVEY,
  post: Post = {},
  from?: string,
): Promise<Opened> {
  const receipt = await publish(test, { ...post, poll }, from);
  const { id } = receipt.poll as { id: number };
  return { id, rootId: receipt.message.root_id };
}

export function previewBallot(
  test: TestBoard,
  poll: number | string,
  body: object,
  from?: string,
): Test {
  return test.as(from).post(`/api/polls/${poll}/votes/preview`).send(body);
}

export async function ballotTicket(
  test: TestBoard,
  poll: number,
  option: string,
  from?: string,
  requestId: string = randomUUID(),
): Promise<Record<string, unknown>> {
  const send = { option, request_id: requestId };
  const previewed = await untilHeard(() =>
    previewBallot(test, poll, send, from),
  );
  if (previewed.status !== 200) throw new Error(previewed.text);
  return filled(previewed as Parameters<typeof filled>[0]);
}

export function castBallot(
  test: TestBoard,
  poll: number | string,
  send: object,
  from?: string,
): Test {
  return test.as(from).post(`/api/polls/${poll}/votes`).send(send);
}

export async function castUntilHeard(
  ...ballot: Parameters<typeof castBallot>
): Promise<Answer> {
  return await untilHeard(() => castBallot(...ballot));
}

export async function vote(
  test: TestBoard,
  poll: number,
  option: string,
  from?: string,
  requestId?: string,
): Promise<Answer> {
  const send = await ballotTicket(test, poll, option, from, requestId);
  return await castBallot(test, poll, send, from);
}

export async function votes(
  test: TestBoard,
  poll: number,
  options: readonly string[],
): Promise<void> {
  for (const option of options) {
    const answer = await vote(test, poll, option, freshNetwork());
    if (answer.status !== 201) throw new Error(answer.text);
  }
}

/** A public read, each from another network: read limits stand apart. */
export async function read(test: TestBoard, path: string): Promise<Answer> {
  return await test.as(freshNetwork()).get(path);
}

export type PollEvent = {
  id: number;
  poll_id: number;
  root_id: number;
  kind: string;
  created_at: string;
  data: Record<string, unknown>;
};

export async function eventsOf(
  test: TestBoard,
  poll?: number,
): Promise<PollEvent[]> {
  const one = poll === undefined ? '' : `&poll_id=${poll}`;
  const { body } = await read(test, `/api/polls/updates?limit=100${one}`);
  return body.data;
}

/** Ballots as they are stored, by option (I8). */
export async function storedBallots(
  test: TestBoard,
  poll: number,
): Promise<number[]> {
  const order = { at: 1 } as const;
  const where = { pollId: poll };
  const ballots = await rows(test).find(Ballot, { where, order });
  return ballots.map(({ choice }) => choice);
}

export async function pollEntries(
  test: TestBoard,
): Promise<(Entry & { type: 'poll' })[]> {
  const reader = readerOf(test.url);
  const note = await reader.text('/log/checkpoint');
  const leaves = await readLeaves(reader, Number(note.split('\n')[1]));
  return leaves.flatMap((leaf) => {
    const entry = parseEntry(leaf);
    if (!entry.ok) throw new Error(entry.reason);
    return entry.value.type === 'poll' ? [entry.value] : [];
  });
}
