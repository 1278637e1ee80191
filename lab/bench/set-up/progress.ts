const WIDTH = 24;
const LINE_EVERY_MS = 5000;

/** A line rewritten on a terminal, else a line every few seconds. */
export class Progress {
  private lastLine = 0;

  constructor(
    private readonly out: { isTTY?: boolean; write(text: string): unknown },
  ) {}

  at(label: string, done: number, total: number): void {
    const share = total === 0 ? 1 : Math.min(done / total, 1);
    const bar = '#'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '.');
    const line = `[${bar}] ${done}/${total} ${label}`;
    if (this.out.isTTY === true) {
      this.out.write(`\r\x1b[K${line}`);
      return;
    }
    const now = performance.now();
    if (now - this.lastLine < LINE_EVERY_MS) return;
    this.lastLine = now;
    this.out.write(`${line}\n`);
  }

  note(text: string): void {
    this.out.write(`${this.out.isTTY === true ? '\r\x1b[K' : ''}${text}\n`);
  }
}
