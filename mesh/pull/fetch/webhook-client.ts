import type { LookupFunction } from 'node:net';
import { accepted, type Verdict } from '../../../protocol/verdict.js';
import {
  PeerClient,
  type PeerFault,
  type PeerTimeouts,
} from './peer-client.js';

type Options = {
  /** Receivers that may be plain http or have private addresses. */
  origins: readonly string[];
  lookup?: LookupFunction;
  timeouts?: Partial<PeerTimeouts>;
};

const TIMEOUTS = { connect: 3000, headers: 5000 };

/**
 * Sends webhooks under the rules for peers' addresses: https to public ones, no
 * redirect, the address checked and pinned. Receivers of the operator's list
 * (WEBHOOK_PRIVATE_ORIGINS) are reached wherever they are.
 */
export class WebhookClient {
  private readonly everywhere: PeerClient;
  private readonly listed: PeerClient;

  constructor(private readonly options: Options) {
    const { lookup, timeouts } = options;
    const client = (free: boolean) =>
      new PeerClient({
        ...{ allowHttp: free, allowPrivate: free },
        ...(lookup === undefined ? {} : { lookup }),
        timeouts: { ...TIMEOUTS, ...timeouts },
      });
    this.everywhere = client(false);
    this.listed = client(true);
  }

  /** POSTs a JSON text and answers with the status alone. */
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
