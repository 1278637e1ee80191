const LINE_END = Buffer.from('\r\n');

/** The chunks of a body as they come (RFC 9112, 7.1); trailers are none. */
export class Chunks {
  readonly parts: Buffer[] = [];
  private rest: Buffer = Buffer.alloc(0);
  /** Bytes of the chunk to come, its line end included. */
  private left = 0;
  private isLast = false;

  constructor(private readonly keep: boolean) {}

  /** Whether the body is over with these bytes. */
  take(bytes: Buffer): boolean {
    let all =
      this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    for (;;) {
      if (this.left > 0) {
        const here = Math.min(this.left, all.length);
        if (this.keep) this.keepText(all.subarray(0, here));
        this.left -= here;
        all = all.subarray(here);
        if (this.left > 0) break;
        if (this.isLast) return true;
      }
      const end = all.indexOf(LINE_END);
      if (end === -1) break;
      const size = Number.parseInt(all.toString('latin1', 0, end), 16);
      if (Number.isNaN(size)) throw new Error('a chunk without its size');
      this.isLast = size === 0;
      this.left = size + LINE_END.length;
      all = all.subarray(end + LINE_END.length);
    }
    this.rest = Buffer.from(all);
    return false;
  }

  /** Without the line end that belongs to no text. */
  private keepText(bytes: Buffer): void {
    const text = Math.max(this.left - LINE_END.length, 0);
    this.parts.push(Buffer.from(bytes.subarray(0, text)));
  }
}
