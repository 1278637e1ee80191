import { createHash, type Hash } from 'node:crypto';
import { CommandFailure } from './failure.js';

const LF = 0x0a;
const MAX_LINE = 65_536;

export type ExportSummary = { messages: number; bytes: number; sha256: string };

function broken(why: string): CommandFailure {
  return new CommandFailure(
    `The export is not whole (${why}); run the command again.`,
  );
}

function jsonOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) {
      return value as Record<string, unknown>;
    }
  } catch {
    // Falls through to the error below.
  }
  throw broken('a line without JSON');
}

/** Checks bodies by `body_bytes` and hash, all by the END line. */
export class ExportReader {
  private readonly whole: Hash = createHash('sha256');
  private rest: Buffer = Buffer.alloc(0);
  private body: { left: number; hash: Hash; sha256: string } | null = null;
  private end: ExportSummary | null = null;
  private bytes = 0;
  messages = 0;

  write(chunk: Buffer): void {
    this.rest = Buffer.concat([this.rest, chunk]);
    while (this.rest.length > 0) {
      if (this.end !== null) throw broken('bytes after END');
      const taken = this.body === null ? this.takeLine() : this.takeBody();
      if (taken === 0) return;
    }
  }

  /** @throws CommandFailure unless the END line is right */
  finish(): ExportSummary {
    if (this.end === null) throw broken('there is no END line');
    const { messages, bytes, sha256 } = this.end;
    const counted = messages === this.messages && bytes === this.bytes;
    if (!counted) throw broken('END counts something else');
    if (sha256 !== this.whole.digest('hex')) throw broken('wrong hash');
    return this.end;
  }

  private take(length: number): Buffer {
    const taken = this.rest.subarray(0, length);
    this.rest = this.rest.subarray(length);
    return taken;
  }

  private record(bytes: Buffer): void {
    this.whole.update(bytes);
    this.bytes += bytes.length;
  }

  private takeLine(): number {
    const at = this.rest.indexOf(LF);
    if (at < 0 && this.rest.length > MAX_LINE) throw broken('an endless line');
    if (at < 0) return 0;
    const line = this.take(at + 1);
    const text = line.toString('utf8');
    const space = text.indexOf(' ');
    const value = jsonOf(text.slice(space + 1));
    switch (text.slice(0, space)) {
      case 'END':
        this.end = value as ExportSummary;
        return line.length;
      case 'MESSAGE':
        this.body = {
          left: Number(value.body_bytes) + 1,
          hash: createHash('sha256'),
          sha256: String(value.body_sha256),
        };
        break;
      case 'REMOVED':
        break;
      default:
        throw broken('an unknown line');
    }
    this.messages += 1;
    this.record(line);
    return line.length;
  }

  private takeBody(): number {
    const { body } = this;
    if (body === null) return 0;
    const part = this.take(Math.min(body.left, this.rest.length));
    this.record(part);
    body.left -= part.length;
    body.hash.update(body.left === 0 ? part.subarray(0, -1) : part);
    if (body.left > 0) return part.length;
    if (part.at(-1) !== LF) throw broken('a body of another length');
    if (body.hash.digest('hex') !== body.sha256) throw broken('a changed body');
    this.body = null;
    return part.length;
  }
}
