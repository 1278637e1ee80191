import type { Context } from '../../context.js';
import { SharedReads } from '../shared-reads.js';
import type { UpdatesAnswer } from '../updates-answer.js';
import type { UpdatesOptions } from '../updates-options.js';
import { UpdatesQuestion } from './question.js';
import type { Waiter } from './waiters.js';

/**
 * Who waits for updates of a board, by what they ask for: a message costs one
 * read for each question, however many ask it. All waits end when the board
 * stops.
 */
export class UpdatesWaits {
  /** First looks, and the pages of streams. */
  readonly shared = new SharedReads<UpdatesAnswer>();
  private readonly questions = new Map<string, UpdatesQuestion>();

  constructor(private readonly ctx: Context) {
    ctx.events.gather('messages', this);
    const endAll = () => {
      for (const question of this.questions.values()) question.endDue();
    };
    ctx.stopping.addEventListener('abort', endAll, { once: true });
  }

  get size(): number {
    let sum = 0;
    for (const { size } of this.questions.values()) sum += size;
    return sum;
  }

  /** Called at each new message. */
  wake(): void {
    for (const question of this.questions.values()) question.wake();
  }

  /** Waits for what `options` name; `waiter` is told what comes of it. */
  ask(options: UpdatesOptions, waiter: Waiter): void {
    const { key } = options;
    let question = this.questions.get(key);
    if (question === undefined) {
      question = new UpdatesQuestion(this.ctx, this.shared, options, () => {
        this.questions.delete(key);
      });
      this.questions.set(key, question);
    }
    question.enter(waiter);
  }
}
