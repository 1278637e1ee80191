import { expect } from 'chai';
import type { TestBoard } from '../../../test/support/board.js';
import { filled } from '../../../test/support/post.js';
import { randomUUID } from '../../../test/support/random.js';
import type { Answer, Asker } from '../asker.js';
import type { Command } from './commands.js';
import { DumbBoard, type Outcome, type Wish } from './dumb-board.js';

export const OPTIONS = ['first', 'second', 'third'];

export type Of<Name extends Command['do']> = Extract<Command, { do: Name }>;

type Accepted = {
  path: string;
  body: object;
  from: number;
  at: number;
  answer: object;
};

export const address = (from: number) => `203.0.113.${from + 1}`;

export class Scene {
  readonly dumb: DumbBoard;
  /** In every text of the run, for a search that finds no other. */
  readonly token = randomUUID();
  readonly sent: Wish[] = [];
  readonly receipts = new Map<number, object>();
  readonly accepted: Accepted[] = [];
  readonly reported: { body: object; receipt: object }[] = [];

  constructor(
    readonly test: TestBoard,
    readonly asker: Asker,
    readonly start: number,
  ) {
    this.dumb = new DumbBoard(start + 1);
  }

  get now(): number {
    return this.test.clock.now();
  }

  /** Preview and publication; a refused preview is the answer of both. */
  async twoSteps(path: string, asked: object, from: number): Promise<Answer> {
    const isWrite = path === '/write/preview';
    const first = isWrite ? path : `${path}/preview`;
    const second = isWrite ? '/write/publish' : path;
    const previewed = await this.asker.post(first, asked, address(from));
    if (previewed.status !== 200) return previewed;
    const body = filled(previewed);
    const got = await this.asker.post(second, body, address(from));
    if (got.status === 201) {
      const at = this.now;
      this.accepted.push({ path: second, body, from, at, answer: got.body });
    }
    return got;
  }
}

export function expectSame(got: Answer, wanted: Outcome): void {
  expect(got.status, got.text).to.equal(wanted.status);
  const code = got.status < 400 ? got.body.status : got.body.error;
  expect(code, got.text).to.equal(wanted.code);
}

export function pick<T>(list: readonly T[], which: number): T | undefined {
  return list[which % Math.max(1, list.length)];
}
