import { type BudgetCheck, counterName, type Spend } from '../db/budgets.js';
import type { Tx } from '../db/sql.js';

/**
 * Reads that many jobs of one kind need, made once for a batch of them. `read`
 * answers each question in its order, as the database stood before the first
 * of the batch: what earlier jobs of the batch change, the later ones must
 * reckon with themselves.
 */
export type JointRead<Question, Facts> = (
  tx: Tx,
  questions: readonly Question[],
  now: number,
) => Promise<readonly Facts[]>;

/** What a job of such a kind brings along. */
export type Joint<Question, Facts> = {
  read: JointRead<Question, Facts>;
  question: Question;
};

/** One whose kind is of no interest. */
export type AnyJoint = { read: JointRead<never, unknown>; question: unknown };

/** Writes the rows that jobs of a batch put off, all in one statement. */
export type RowsWriter<Row> = (tx: Tx, rows: readonly Row[]) => Promise<void>;

/** Rows that are written before anybody reads. */
export class PendingRows {
  private write: RowsWriter<unknown> | null = null;
  private rows: unknown[] = [];

  constructor(private readonly tx: Tx) {}

  async add<Row>(write: RowsWriter<Row>, row: Row): Promise<void> {
    if (this.write !== write) await this.flush();
    this.write = write as RowsWriter<unknown>;
    this.rows.push(row);
  }

  async flush(): Promise<void> {
    const { write, rows } = this;
    if (write === null) return;
    this.write = null;
    this.rows = [];
    await write(this.tx, rows);
  }

  /** The same transaction for statements that must see what was put off. */
  get seen(): Tx {
    return {
      inTransaction: true,
      query: async (text, values) => {
        await this.flush();
        return await this.tx.query(text, values);
      },
    };
  }
}

/**
 * What a batch knows beside the database: facts read for all of its jobs, and
 * what its jobs have spent so far.
 */
export class BatchState {
  readonly pending: PendingRows;
  readonly tx: Tx;
  private readonly spent = new Map<string, number>();
  private readonly facts = new Map<AnyJoint, unknown>();

  constructor(tx: Tx) {
    this.pending = new PendingRows(tx);
    this.tx = this.pending.seen;
  }

  /** Reads for all jobs at once, when all are of one kind. */
  async prepare(
    joints: readonly (AnyJoint | undefined)[],
    now: number,
  ): Promise<boolean> {
    const [first] = joints;
    if (first === undefined) return false;
    const same = joints.filter((joint) => joint?.read === first.read);
    if (same.length < joints.length) return false;
    const asked = same as readonly AnyJoint[];
    const questions = asked.map(({ question }) => question as never);
    const answers = await first.read(this.tx, questions, now);
    asked.forEach((joint, at) => {
      this.facts.set(joint, answers[at]);
    });
    return true;
  }

  factsFor<Question, Facts>(joint: Joint<Question, Facts>): Facts | undefined {
    return this.facts.get(joint) as Facts | undefined;
  }

  countSpend({ scope, key }: Spend): void {
    const name = counterName(scope, key);
    this.spent.set(name, (this.spent.get(name) ?? 0) + 1);
  }

  /**
   * Whether a limit that had this much room before the batch surely has some
   * still, or was not touched by it.
   */
  hasRoom({ scope, key }: BudgetCheck, room: number): boolean {
    const names = new Set(
      [key.today, key.yesterday].map((name) => counterName(scope, name)),
    );
    let spent = 0;
    for (const name of names) spent += this.spent.get(name) ?? 0;
    return spent === 0 || spent < room;
  }
}
