const SHOW_AFTER_MS = 2000;
const BEAT_MS = 500;
const WIDTH = 24;

/** After two seconds, on standard error. */
export class Progress {
  private readonly since = Date.now();
  private readonly shown: boolean;

  constructor(
    private readonly label: string,
    private readonly quiet: boolean,
  ) {
    this.shown = !quiet && process.stderr.isTTY === true;
  }

  /** `total` 0: unknown. */
  at(done: number, total: number, unit = ''): void {
    if (!this.shown || Date.now() - this.since < SHOW_AFTER_MS) return;
    const share = total === 0 ? 0 : Math.min(done / total, 1);
    const bar = '#'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '.');
    const count = total === 0 ? String(done) : `${done}/${total}`;
    const left = this.left(share);
    process.stderr.write(
      `\r\x1b[K${this.label} [${bar}] ${count}${unit}${left}`,
    );
  }

  /** At the present speed. */
  private left(share: number): string {
    if (share === 0 || share === 1) return '';
    const ms = ((Date.now() - this.since) * (1 - share)) / share;
    const seconds = Math.ceil(ms / 1000);
    const time =
      seconds < 100 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
    return `, about ${time} left`;
  }

  /** Counts seconds, for work without progress. */
  async during<T>(work: Promise<T>): Promise<T> {
    const seconds = () => Math.round((Date.now() - this.since) / 1000);
    const beat = setInterval(() => this.at(seconds(), 0, ' s'), BEAT_MS);
    try {
      return await work;
    } finally {
      clearInterval(beat);
      this.end();
    }
  }

  /** Also shown without a bar. */
  note(text: string): void {
    if (this.quiet) return;
    process.stderr.write(
      `${this.shown ? '\r\x1b[K' : ''}${this.label}: ${text}\n`,
    );
  }

  end(): void {
    if (this.shown) process.stderr.write('\r\x1b[K');
  }
}
