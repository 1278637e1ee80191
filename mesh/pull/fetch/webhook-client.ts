import type { LookupFunction } from 'node:net';
import { accepted, type Verdict } from '../../../protocol/verdict.js';
import {
  PeerClient,
  type PeerFault,
  type PeerTimeouts,
} from './peer-client.js';

type Options = {
  /** Allowed to be plain http or private. */
  origins: readonly string[];
  lookup?: LookupFunction;
  timeouts?: Partial<PeerTimeouts>;
};

const TIMEOUTS = { connect: 3000, headers: 5000 };

/** Like peers; WEBHOOK_PRIVATE_ORIGINS may be private or http. */
export class WebhookClient {
  private readonly everywhere: PeerClient;
  private readonly listed: PeerClient;

  constructor(private readonly options: Options) {
    const { lookup, timeouts } = options;
    const client = (free: boolean) =>
      new PeerClient({
        allowHttp: free,
        allowPrivate: free,
        ...(lookup === undefined ? {} : { lookup }),
        timeouts: { ...TIMEOUTS, ...timeouts },
      });
    this.everywhere = client(false);
    this.listed = client(true);
  }

  /** Returns only the status. */
  async deliver(
    url: string,
    text: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Verdict<number, PeerFault>> {
    const { origin, pathname, search } = new URL(url);
    const client = this.options.origins.includes(origin)
      ? this.listed
      : this.everywhere;
    const path = `${pathname}${search}`;
    const sent = await client.deliver(origin, path, text, headers, { signal });
    return sent.ok ? accepted(sent.value.status) : sent;
  }

  async close(): Promise<void> {
    await this.everywhere.close();
    await this.listed.close();
  }
}
