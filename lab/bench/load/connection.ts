import net from 'node:net';
import { Chunks } from './chunks.js';

export type Answer = { status: number; bytes: number; body: Buffer | null };

type Waiting = {
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
  keepBody: boolean;
};

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** Kept alive, one request at a time; reads only what it must. */
export class Connection {
  private waiting: Waiting | null = null;
  private head: Buffer | null = null;
  private status = 0;
  /** Body bytes to come; of chunks there is no telling. */
  private left = 0;
  private chunks: Chunks | null = null;
  private bytes = 0;
  private parts: Buffer[] = [];
  /** The server said that it takes no more on this socket. */
  private isOver = false;

  private constructor(
    private socket: net.Socket,
    private readonly open: () => Promise<net.Socket>,
  ) {
    this.listen();
  }

  private listen(): void {
    const { socket } = this;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.take(chunk));
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => {
      if (socket !== this.socket) return;
      this.fail(new Error('the connection was closed'));
    });
  }

  static async open(port: number, localAddress?: string): Promise<Connection> {
    const connect = () => connected(port, localAddress);
    return new Connection(await connect(), connect);
  }

  /** Goes on with another connection where the server ended one in order. */
  async request(bytes: Buffer, keepBody = false): Promise<Answer> {
    if (this.isOver) {
      this.isOver = false;
      this.socket.destroy();
      this.socket = await this.open();
      this.listen();
    }
    return await this.ask(bytes, keepBody);
  }

  private ask(bytes: Buffer, keepBody: boolean): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.socket.destroyed) {
        reject(new Error('the connection was closed before'));
        return;
      }
      this.waiting = { resolve, reject, keepBody };
      this.socket.write(bytes);
    });
  }

  close(): void {
    this.waiting = null;
    this.socket.destroy();
  }

  private fail(error: Error): void {
    this.waiting?.reject(error);
    this.waiting = null;
  }

  private take(chunk: Buffer): void {
    if (this.left !== 0) {
      this.takeBody(chunk);
      return;
    }
    const all = this.head === null ? chunk : Buffer.concat([this.head, chunk]);
    const end = all.indexOf(END_OF_HEAD);
    if (end === -1) {
      this.head = all;
      return;
    }
    this.head = null;
    const head = all.toString('latin1', 0, end);
    this.status = Number(head.slice(9, 12));
    this.bytes = end + END_OF_HEAD.length;
    this.isOver = /\r\nconnection: *close/i.test(head);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    this.chunks = /\r\ntransfer-encoding: *chunked/i.test(head)
      ? new Chunks(this.waiting?.keepBody ?? false)
      : null;
    this.left = this.chunks === null ? Number(length ?? 0) : 1;
    if (this.left === 0) this.finish();
    else if (all.length > this.bytes) this.takeBody(all.subarray(this.bytes));
  }

  private takeBody(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.chunks !== null) {
      if (!this.chunks.take(chunk)) return;
      this.parts = this.chunks.parts;
      this.finish();
      return;
    }
    if (this.waiting?.keepBody) this.parts.push(chunk);
    this.left -= chunk.length;
    if (this.left === 0) this.finish();
  }

  private finish(): void {
    const { waiting, status, bytes, parts } = this;
    this.left = 0;
    this.waiting = null;
    this.parts = [];
    waiting?.resolve({
      status,
      bytes,
      body: waiting.keepBody ? Buffer.concat(parts) : null,
    });
  }
}

function connected(port: number, localAddress?: string): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({
      port,
      host: '127.0.0.1',
      ...(localAddress === undefined ? {} : { localAddress }),
    });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}
