import path from 'node:path';
import type { LoadFigures } from '../load/figures.js';
import type { BoardQuestion, Usage } from '../processes/board.js';
import type { Load } from '../processes/load.js';
import type { ReferenceQuestion } from '../processes/reference.js';
import { Child } from './child.js';
import { Cluster } from './cluster.js';
import { type DataSet, dataSet } from './data-set.js';
import type { Pace } from './pace.js';
import type { Progress } from './progress.js';
import { stockServer } from './server.js';
import { boardEnvironment } from './settings.js';

/** Messages of the small data set, which growth is measured against. */
const SMALL = 10_000;

export type LabOptions = {
  folder: string;
  size: number;
  pace: Pace;
  /** The figures mean nothing: only the harness itself is tried. */
  short: boolean;
  progress: Progress;
  /** Aborted: whoever tells how far it is, is stopped there. */
  signal?: AbortSignal;
};

type Database = Pick<DataSet, 'database' | 'url'>;

export type RunningBoard = {
  port: number;
  ask<A>(question: BoardQuestion): Promise<A>;
  usage(): Promise<Usage>;
  /** The same after a collection, for its memory. */
  settled(): Promise<Usage>;
  stop(): Promise<void>;
};

/** Where rows find what they measure with; `stop` ends all of it. */
export class Lab {
  private readonly children = new Set<Child>();
  private copies = 0;
  /** `FAST_PATHS` of the boards that are started from now on. */
  fastPaths: 'on' | 'off' = 'on';
  private loader: Child | null = null;
  private other: Lab | null = null;

  private constructor(
    readonly options: LabOptions,
    readonly cluster: Cluster,
  ) {}

  static async open(options: LabOptions): Promise<Lab> {
    return new Lab(options, await Cluster.start(options.folder));
  }

  /** The same on a server that has the settings of PostgreSQL itself. */
  async external(): Promise<Lab> {
    const folder = path.join(this.options.folder, 'external');
    this.other ??= new Lab(
      this.options,
      await Cluster.start(folder, stockServer),
    );
    this.other.fastPaths = this.fastPaths;
    return this.other;
  }

  /** Seconds of one slice, and how often slices are taken by turns. */
  get slice(): { seconds: number; rounds: number } {
    const { seconds, rounds, offRounds } = this.options.pace;
    return { seconds, rounds: this.fastPaths === 'on' ? rounds : offRounds };
  }

  large(): Promise<DataSet> {
    return this.dataSet(this.options.size);
  }

  small(): Promise<DataSet> {
    const { short, size } = this.options;
    return this.dataSet(short ? size : Math.min(SMALL, size));
  }

  private async dataSet(size: number): Promise<DataSet> {
    const label = `messages of the data set of ${size}`;
    return await dataSet(this.cluster, size, (done, total) =>
      this.at(label, done, total),
    );
  }

  /** Tells how far the work is. @throws when the run was interrupted. */
  at(label: string, done: number, total: number): void {
    this.options.signal?.throwIfAborted();
    this.options.progress.at(label, done, total);
  }

  async writable(): Promise<DataSet> {
    const from = await this.small();
    return { ...from, ...(await this.database(from.database)) };
  }

  async database(template?: string): Promise<Database> {
    this.copies += 1;
    const database = `bench_copy_${this.copies}`;
    await this.cluster.create(database, template);
    return { database, url: this.cluster.urlOf(database) };
  }

  async board(
    set: Database,
    env: Record<string, string> = {},
  ): Promise<RunningBoard> {
    const child = this.child('board');
    const dataDir = this.cluster.boardFolder(set.database);
    const port = await child.ask<number>({
      ask: 'start',
      env: {
        ...boardEnvironment(set.url, dataDir),
        FAST_PATHS: this.fastPaths,
        ...env,
      },
      timeoutFactor: this.options.pace.patience,
    });
    return {
      port,
      ask: (question) => child.ask(question),
      usage: () => child.ask<Usage>({ ask: 'usage' }),
      settled: async () => {
        await child.ask({ ask: 'settle' });
        return await child.ask<Usage>({ ask: 'usage' });
      },
      stop: () => this.end(child),
    };
  }

  /** One at a time, by a process that is kept: it has compiled by then. */
  async load(load: Load): Promise<LoadFigures> {
    this.loader ??= Child.start('load');
    const figures = await this.loader.ask<LoadFigures>(load);
    const { count, failures } = figures;
    if (count > 0) return figures;
    throw new Error(`of ${failures} answers to a load none was good`);
  }

  get(port: number, paths: string[], connections: number) {
    const { seconds } = this.slice;
    return this.load({
      kind: 'get',
      ports: [port],
      paths,
      connections,
      seconds,
    });
  }

  async reference(question: ReferenceQuestion): Promise<number> {
    return await this.child('reference').ask<number>(question);
  }

  child(name: string): Child {
    const child = Child.start(name);
    this.children.add(child);
    return child;
  }

  async end(child: Child): Promise<void> {
    this.children.delete(child);
    await child.stop();
  }

  async tidy(): Promise<void> {
    await this.other?.tidy();
    await Promise.all([...this.children].map((child) => this.end(child)));
    for (; this.copies > 0; this.copies -= 1) {
      await this.cluster.drop(`bench_copy_${this.copies}`);
    }
  }

  async stop(): Promise<void> {
    await this.tidy();
    await this.other?.stop();
    await this.loader?.stop();
    await this.cluster.stop();
  }
}
