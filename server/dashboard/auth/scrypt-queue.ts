import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { BoardError } from '../../errors.js';

/** N of scrypt: a hash takes a quarter of a second and 128 MB. */
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

/**
 * Passphrase hashing for one process. A hash costs a quarter of a second and
 * 128 MB, so at most two run at once, off the event loop, and a flood waits
 * outside: a network has few places in the line, and the line an end.
 */
export class ScryptQueue {
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  private readonly places = new Map<string, number>();
  /** The most that ever ran at once. */
  peak = 0;

  /** @param cost N of scrypt, a power of two. */
  constructor(private readonly cost: number) {}

  /** @throws BoardError `unavailable` when the line is full */
  async hash(
    passphrase: string,
    salt: Uint8Array,
    network: string,
  ): Promise<Buffer> {
    const places = this.places.get(network) ?? 0;
    if (
      places >= WAITING_MAX_OF_NETWORK ||
      this.waiting.length >= WAITING_MAX
    ) {
      throw new BoardError(
        'unavailable',
        'Too many sign-ins are being checked just now; try again in a moment.',
        { retry_after_seconds: RETRY_SECONDS },
      );
    }
    this.places.set(network, places + 1);
    try {
      await this.turn();
      const text = passphrase.normalize('NFKC');
      const options = { N: this.cost, ...BLOCKS };
      return await derive(text, salt, HASH_BYTES, options);
    } finally {
      this.done(network);
    }
  }

  async matches(
    passphrase: string,
    { salt, hash }: PassphraseHash,
    network: string,
  ): Promise<boolean> {
    return timingSafeEqual(await this.hash(passphrase, salt, network), hash);
  }

  /** A finished hash hands its place on, so `running` stays as it is. */
  private async turn(): Promise<void> {
    if (this.running < AT_ONCE) this.running += 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.peak = Math.max(this.peak, this.running);
  }

  private done(network: string): void {
    const left = (this.places.get(network) ?? 1) - 1;
    if (left === 0) this.places.delete(network);
    else this.places.set(network, left);
    const next = this.waiting.shift();
    if (next === undefined) this.running -= 1;
    else next();
  }
}
