import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { type BoardError, unavailable } from '../../errors.js';

/** scrypt's N: a quarter of a second and 128 MB. */
export const PASSPHRASE_COST = 2 ** 17;
const derive = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(
  scrypt,
);
const BLOCKS = { r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
const HASH_BYTES = 32;
const AT_ONCE = 2;
const WAITING_MAX = 64;
const WAITING_MAX_OF_NETWORK = 4;
const RETRY_SECONDS = 5;

export type PassphraseHash = { salt: Buffer; hash: Buffer };

export type Place = {
  /** Today's tag of the network, or of the device. */
  network: string;
  /** Number of its network's attempt; 0 for a known device. */
  nth: number;
};

type Waiting = Pick<Place, 'nth'> & {
  go: () => void;
  refuse: (why: BoardError) => void;
};

/**
 * At most two hashes at once, off the event loop. The queue is bounded, with
 * few places per network; fewest attempts come first (spec/board.md §16.5).
 */
export class ScryptQueue {
  private running = 0;
  /** Fewest attempts first, then by time. */
  private readonly waiting: Waiting[] = [];
  private readonly places = new Map<string, number>();
  /** Most that ran at once. */
  peak = 0;

  /** @param cost scrypt's N, a power of two */
  constructor(private readonly cost: number) {}

  /** @throws BoardError `unavailable` when the queue is full */
  async hash(
    passphrase: string,
    salt: Uint8Array,
    { network, nth }: Place,
  ): Promise<Buffer> {
    const places = this.places.get(network) ?? 0;
    if (places >= WAITING_MAX_OF_NETWORK) throw tooMany();
    this.places.set(network, places + 1);
    try {
      await this.turn(nth);
      try {
        const text = passphrase.normalize('NFKC');
        const options = { N: this.cost, ...BLOCKS };
        return await derive(text, salt, HASH_BYTES, options);
      } finally {
        this.handOn();
      }
    } finally {
      this.leave(network);
    }
  }

  async matches(
    passphrase: string,
    { salt, hash }: PassphraseHash,
    place: Place,
  ): Promise<boolean> {
    return timingSafeEqual(await this.hash(passphrase, salt, place), hash);
  }

  private async turn(nth: number): Promise<void> {
    if (this.running < AT_ONCE) this.running += 1;
    else await this.wait(nth);
    this.peak = Math.max(this.peak, this.running);
  }

  /** A full queue drops the one with most attempts. */
  private async wait(nth: number): Promise<void> {
    if (this.waiting.length >= WAITING_MAX) {
      const last = this.waiting.at(-1);
      if (last === undefined || last.nth <= nth) throw tooMany();
      this.waiting.pop();
      last.refuse(tooMany());
    }
    await new Promise<void>((go, refuse) => {
      const at = this.waiting.findIndex((one) => one.nth > nth);
      const place = at < 0 ? this.waiting.length : at;
      this.waiting.splice(place, 0, { nth, go, refuse });
    });
  }

  /** `running` stays: the place goes to the next one. */
  private handOn(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.running -= 1;
    else next.go();
  }

  private leave(network: string): void {
    const left = (this.places.get(network) ?? 1) - 1;
    if (left === 0) this.places.delete(network);
    else this.places.set(network, left);
  }
}

function tooMany(): BoardError {
  return unavailable(
    'Too many sign-ins are being checked just now; try again in a moment.',
    RETRY_SECONDS,
  );
}
