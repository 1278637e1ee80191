import { randomUUID } from 'node:crypto';
import { Progress } from '../../client/cli/progress.js';
import { parseConfig } from '../config.js';
import { boardAddress, fetchBoard, patientPost } from './board-client.js';
import { CommandFailure } from './failure.js';
import { type JsonOption, print } from './output.js';
import { DEMO_TOPICS } from './seed-content.js';

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

function solve(challenge: unknown): string {
  const [, a, b, word] =
    /^Add (\d+) and (\d+)\. Append a hyphen and the word ([A-Za-z]+)\.$/.exec(
      String(challenge),
    ) ?? [];
  return `${Number(a) + Number(b)}-${word}`;
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
      ...(replyTo === null ? { ...text, title, room } : text),
      ...(replyTo === null ? {} : { reply_to: replyTo }),
    });
    if (first.error === 'topic_budget_exhausted') return; // replies only
    const template = (first.publish as { json_template?: object } | undefined)
      ?.json_template;
    const receipt = await this.post('/write/publish', {
      ...template,
      answer: solve(first.challenge),
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
