import { setTimeout as sleep } from 'node:timers/promises';
import {
  PeerClient,
  type PeerClientOptions,
} from '../pull/fetch/peer-client.js';

/** Per request, and the sum of its waits. */
const TRIES = 5;
const WAIT_SECONDS = 60;
const BUSY = new Set([429, 503]);

type Patience = {
  /** Before every wait. */
  onWait: (text: string) => void;
  /** For tests. */
  wait?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
};

/**
 * Waits when a busy board says so: a command has no next round. Later requests
 * do not wait for a board that stayed busy.
 */
export class PatientClient extends PeerClient {
  private readonly spent = new Set<string>();

  constructor(
    options: PeerClientOptions,
    private readonly patience: Patience,
  ) {
    super(options);
  }

  override async get(...asked: Parameters<PeerClient['get']>) {
    const [baseUrl, , { signal } = {}] = asked;
    const { onWait, wait = pause } = this.patience;
    let left = WAIT_SECONDS;
    for (let tries = 1; ; tries += 1) {
      const answer = await super.get(...asked);
      if (!answer.ok || !BUSY.has(answer.value.status)) return answer;
      const { status, retryAfter } = answer.value;
      if (retryAfter === undefined || this.spent.has(baseUrl)) return answer;
      const seconds = Math.max(1, retryAfter);
      if (tries === TRIES || seconds > left) this.spent.add(baseUrl);
      if (this.spent.has(baseUrl) || signal?.aborted) return answer;
      left -= seconds;
      onWait(
        `${baseUrl} is busy (HTTP ${status}); it is asked again in ${seconds} s.`,
      );
      await wait(seconds * 1000, signal);
    }
  }
}

async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}
