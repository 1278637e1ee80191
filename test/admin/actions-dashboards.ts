import { startBoard, type TestBoard } from '../support/board.js';
import { checkLedger } from '../support/check-ledger.js';
import { LIFTED } from '../support/lifted.js';
import { until } from '../support/until.js';
import { Dashboard } from './actions-dashboard.js';
import { operator, type SignedInOperator } from './actions-operator.js';

type Options = ConstructorParameters<typeof Dashboard>[1];

/** A board, a moderator of it and the dashboards he opens. */
export class Dashboards {
  private readonly open: Dashboard[] = [];

  private constructor(
    readonly test: TestBoard,
    readonly moderator: SignedInOperator,
  ) {}

  static async start(): Promise<Dashboards> {
    const test = await startBoard({ limits: LIFTED });
    return new Dashboards(test, await operator(test, 'moderator', 'Mo'));
  }

  /** Connected or refused. */
  async dashboard(
    options: Options = {},
    at: TestBoard = this.test,
  ): Promise<Dashboard> {
    const { cookie } = this.moderator;
    const made = new Dashboard(at, { cookie, ...options });
    this.open.push(made);
    return await made.settled();
  }

  /** With its first snapshot. */
  async welcomed(options: Options = {}): Promise<Dashboard> {
    const made = await this.dashboard(options);
    await until('a snapshot comes', () => made.of('snapshot').length === 1);
    return made;
  }

  /** Closes the dashboards: a board that stops waits for none of them. */
  close(): void {
    for (const dashboard of this.open) dashboard.close();
  }

  async stop(): Promise<void> {
    this.close();
    await checkLedger(this.test);
    await this.test.stop();
  }
}
