import type { FeedPage } from '../../protocol/feed-page.js';
import type { Verdict } from '../../protocol/verdict.js';
import type { Vkey } from '../../protocol/vkey.js';
import { type FetchFault, fetchPage, type PageWish } from './fetch-page.js';
import type { PullClient } from './pull-parts.js';
import type { PullSource } from './seams.js';

export type Fetched = Verdict<FeedPage, FetchFault>;

type Ahead = { key: string; page: Promise<Fetched> };

/** Fetches pages, one ahead of the one that is being verified and stored. */
export class PageReader {
  private ahead: Ahead | null = null;

  constructor(
    private readonly client: PullClient,
    private readonly signal: AbortSignal,
  ) {}

  async next(
    source: PullSource,
    logVkey: Vkey,
    wish: PageWish,
  ): Promise<Fetched> {
    const { ahead, client, signal } = this;
    this.ahead = null;
    if (ahead?.key === keyOf(source, wish)) return await ahead.page;
    return await fetchPage(client, source, logVkey, wish, signal);
  }

  fetchAhead(source: PullSource, logVkey: Vkey, wish: PageWish): void {
    const { client, signal } = this;
    const page = fetchPage(client, source, logVkey, wish, signal);
    this.ahead = { key: keyOf(source, wish), page };
  }

  /** What was fetched ahead continues nothing any more. */
  drop(): void {
    this.ahead = null;
  }

  async end(): Promise<void> {
    await this.ahead?.page; // the signal ends it
  }
}

function keyOf({ baseUrl, prefix }: PullSource, wish: PageWish): string {
  const { from, limit, content, wait } = wish;
  return [baseUrl, prefix, from, limit, content, wait].join(' ');
}
