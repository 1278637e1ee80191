import { setTimeout as sleep } from 'node:timers/promises';
import {
  PeerClient,
  type PeerClientOptions,
} from '../pull/fetch/peer-client.js';

/** Tries of one request, and how long its waits may last together. */
const TRIES = 5;
const WAIT_SECONDS = 60;
const BUSY = new Set([429, 503]);

type Patience = {
  /** Called before every wait. */
  onWait: (text: string) => void;
  /** Tests pass their own. */
  wait?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
};

/**
 * Asks a busy board again when it says, for commands that run once: what a node
 * learns at its next round, a command must not miss. A board that stays busy is
 * not waited for a second time.
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
