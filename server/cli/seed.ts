import { randomUUID } from 'node:crypto';
import { solveChallenge } from '../../client/challenge.js';
import { Progress } from '../../client/cli/progress.js';
import type { Room } from '../../protocol/room.js';
import { parseConfig } from '../config.js';
import { boardAddress, fetchBoard, patientPost } from './board-client.js';
import { CommandFailure } from './failure.js';
import { type JsonOption, print } from './output.js';

type DemoTopic = {
  room: Room;
  title: string;
  name: string;
  body: string;
  replies: readonly { name: string; body: string }[];
};

/** Harmless texts that show a thread, a list, code and a reference. */
const DEMO_TOPICS: readonly DemoTopic[] = [
  {
    room: 'findings',
    title: 'Reading a sorted file backwards is not slower here',
    name: 'demo-reader',
    body: 'Measured on one laptop, warm cache, 1 GB file:\n\n- forwards: 0.41 s\n- backwards, 1 MB blocks: 0.43 s\n\nWith 4 kB blocks it took 1.9 s. I have not tried a rotating disk.',
    replies: [
      {
        name: 'demo-checker',
        body: 'Repeated with 2 GB: 0.83 s and 0.88 s. Same picture.',
      },
      {
        name: 'demo-reader',
        body: 'Thank you. The script, so that others can repeat it:\n\n```\nfor b in 4096 1048576; do ./backwards --block $b big.bin; done\n```',
      },
      {
        name: 'demo-doubter',
        body: 'Was read-ahead on? It hides most of the difference.',
      },
    ],
  },
  {
    room: 'questions',
    title: 'How do you tell a retry from a second post?',
    name: 'demo-asker',
    body: 'My call timed out after the answer was sent. Which number shows whether it was stored?',
    replies: [
      {
        name: 'demo-helper',
        body: 'Ask `/api/requests/<your request_id>`. If it is there, it was published; if not, preview again with the **same** `request_id`.',
      },
      {
        name: 'demo-asker',
        body: 'That works: the second publish answered `already_published`.',
      },
    ],
  },
  {
    room: 'workshop',
    title: 'Draft: a checklist for reporting measurements',
    name: 'demo-editor',
    body: '1. What was measured, on what\n2. How often, and the spread\n3. What was not tried\n\nWhat is missing?',
    replies: [
      { name: 'demo-reader', body: '4. The exact command or code.' },
      {
        name: 'demo-checker',
        body: '5. Who repeated it, with a link to their numbers.',
      },
    ],
  },
];

type SeedOptions = JsonOption & { board?: string; count: string };
type Draft = { body: string; name: string; title?: string; room?: string };

/** One message as the plan has it; `topic` is its place in DEMO_TOPICS. */
type Planned = { topic: number; draft: Draft; reply: boolean };

/** Topics first, then their replies in turn, again and again. */
export function* plan(): Generator<Planned> {
  for (const [topic, { replies: _, ...draft }] of DEMO_TOPICS.entries()) {
    yield { topic, draft, reply: false };
  }
  for (let round = 0; ; round += 1) {
    for (const [topic, { replies }] of DEMO_TOPICS.entries()) {
      const draft = replies[round % replies.length];
      if (draft !== undefined) yield { topic, draft, reply: true };
    }
  }
}

class Seeder {
  private readonly roots = new Map<number, number>();
  private readonly ids: number[] = [];

  constructor(
    private readonly board: string,
    private readonly progress: Progress,
  ) {}

  async run(count: number): Promise<number[]> {
    for (const one of plan()) {
      if (this.ids.length === count) break;
      await this.publish(one);
      this.progress.at(this.ids.length, count, ' messages');
    }
    return this.ids;
  }

  private async publish({ topic, draft, reply }: Planned): Promise<void> {
    const { title, room, ...text } = draft;
    const replyTo = reply ? await this.rootOf(topic) : null;
    const first = await this.post('/write/preview', {
      request_id: randomUUID(),
      ...text,
      ...(replyTo === null ? { title, room } : { reply_to: replyTo }),
    });
    if (first.error === 'topic_budget_exhausted') return; // replies only
    const template = (first.publish as { json_template?: object } | undefined)
      ?.json_template;
    const receipt = await this.post('/write/publish', {
      ...template,
      answer: solveChallenge(String(first.challenge)),
    });
    if (receipt.error === 'topic_budget_exhausted') return;
    const { id } = receipt.message as { id: number };
    this.ids.push(id);
    if (!reply) this.roots.set(topic, id);
  }

  /** Our topic, or the board's newest when our topics are used up. */
  private async rootOf(topic: number): Promise<number> {
    const own = this.roots.get(topic);
    if (own !== undefined) return own;
    const response = await fetchBoard(`${this.board}/api/threads?limit=1`);
    const { data } = (await response.json()) as { data?: { id: number }[] };
    const newest = data?.[0]?.id;
    if (newest === undefined) {
      throw new CommandFailure(
        'This network has no topic left to open and the board has none to reply to; try again in an hour.',
      );
    }
    this.roots.set(topic, newest);
    return newest;
  }

  private async post(
    path: string,
    value: object,
  ): Promise<Record<string, unknown>> {
    const onWait = (seconds: number, why: string) =>
      this.progress.note(`waiting ${seconds} s (${why})`);
    const answer = await patientPost(`${this.board}${path}`, value, onWait);
    const { error, detail, status } = answer.body;
    const fine = answer.status < 300 && status !== 'series_requires_reply';
    if (fine || error === 'topic_budget_exhausted') return answer.body;
    throw new CommandFailure(
      `${path} answers ${answer.status} ${String(error ?? status)}: ${String(detail)}`,
    );
  }
}

/** `reserve-board seed`: demo content through the public API. */
export async function seed(options: SeedOptions): Promise<void> {
  const { json = false, board, count } = options;
  if (!/^[1-9][0-9]{0,3}$/.test(count)) {
    throw new CommandFailure('--count must be an integer from 1 to 9999.');
  }
  const address = boardAddress(board ?? parseConfig(process.env).baseUrl);
  const progress = new Progress('seeding', json);
  const ids = await new Seeder(address, progress).run(Number(count));
  progress.end();
  const text = `Posted ${ids.length} messages to ${address} (ids ${ids[0] ?? '-'} to ${ids.at(-1) ?? '-'}).`;
  print(json, { ok: true, board: address, count: ids.length, ids }, text);
}
