import { accepted, type Verdict } from '../../../protocol/verdict.js';
import type { PullClient } from '../hooks.js';
import type { PagePreparer, ReadyPage } from '../verify/prepare-page.js';
import { type FetchFault, fetchPage, type PageWish } from './fetch-page.js';

type Fetched = Verdict<ReadyPage, FetchFault>;

type Ahead = {
  key: string;
  page: Promise<Fetched>;
  /** Requests the next page; null until one is known to follow. */
  askNext: (() => void) | null;
};

/** Pages requested in advance. */
const AHEAD = 2;

/** Fetches and prepares pages in advance. */
export class PageReader {
  private ahead: Ahead[] = [];

  constructor(
    private readonly client: PullClient,
    private readonly preparer: Pick<PagePreparer, 'prepare'>,
    private readonly signal: AbortSignal,
  ) {}

  /** `signal` ends it unless it was requested before. */
  async next(wish: PageWish, signal: AbortSignal): Promise<Fetched> {
    const first = this.ahead.shift();
    if (first?.key === keyOf(wish)) return await first.page;
    this.drop();
    return await this.fetch(wish, signal);
  }

  /** This page and the next, unless requested. */
  fetchAhead(wish: PageWish): void {
    if (this.ahead[0]?.key !== keyOf(wish)) {
      this.drop();
      this.ask(wish);
    } else this.goOn();
  }

  /** They continue nothing any more. */
  drop(): void {
    this.ahead = [];
  }

  async end(): Promise<void> {
    await Promise.all(this.ahead.map(({ page }) => page)); // the signal ends them
  }

  private ask(wish: PageWish): void {
    const page = this.fetch(wish, this.signal, ({ to }) => {
      ahead.askNext = () => this.ask({ ...wish, from: to });
      this.goOn();
    });
    const ahead: Ahead = { key: keyOf(wish), page, askNext: null };
    this.ahead.push(ahead);
  }

  /** Also after the first, or every other page would be waited for. */
  private goOn(): void {
    if (this.ahead.length === AHEAD || this.signal.aborted) return;
    this.ahead.at(-1)?.askNext?.();
  }

  private async fetch(
    wish: PageWish,
    signal: AbortSignal,
    onFull: (page: ReadyPage['page']) => void = () => {},
  ): Promise<Fetched> {
    const fetched = await fetchPage(this.client, wish, signal);
    if (!fetched.ok) return fetched;
    const page = fetched.value;
    const { from, to, consistency } = page;
    // A proof to the head: more follows the full page.
    if (to - from === wish.limit && consistency.length > 0) onFull(page);
    return accepted(await this.preparer.prepare(page));
  }
}

function keyOf({ source, from, limit, content, wait }: PageWish): string {
  const { baseUrl, prefix } = source;
  return [baseUrl, prefix, from, limit, content, wait].join(' ');
}
