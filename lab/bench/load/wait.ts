import net from 'node:net';
import { getRequest } from './get.js';

export type WaitLoad =
  /** `{n}` in the path differs from reader to reader. */
  | { kind: 'wait'; port: number; path: string; count: number }
  | { kind: 'waited' };

/** When each answer began, in ms since the epoch, and what was no 200. */
export type Waited = { answeredAt: number[]; failures: number };

const AT_ONCE = 200;
/** The longest preview. */
const MOST = 4000;

let sockets: net.Socket[] = [];
let answers: Promise<{ at: number; good: boolean }>[] = [];

/** Opens long polls; asked again, answers when all of them were answered. */
export async function waitLoad(load: WaitLoad): Promise<Waited | number> {
  if (load.kind === 'wait') {
    for (let opened = 0; opened < load.count; opened += AT_ONCE) {
      const now = Math.min(AT_ONCE, load.count - opened);
      await Promise.all(
        Array.from({ length: now }, () => open(load.port, load.path)),
      );
    }
    return sockets.length;
  }
  const found = await Promise.all(answers);
  for (const socket of sockets) socket.destroy();
  sockets = [];
  answers = [];
  return {
    answeredAt: found.filter(({ good }) => good).map(({ at }) => at),
    failures: found.filter(({ good }) => !good).length,
  };
}

/** A raw socket: twenty thousand HTTP clients would not fit beside the board. */
function open(port: number, path: string): Promise<void> {
  const nth = String(1 + (sockets.length % MOST));
  const request = getRequest(path.replace('{n}', nth));
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: '127.0.0.1' });
    sockets.push(socket);
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      socket.write(request, () => resolve());
    });
    const answer = new Promise<{ at: number; good: boolean }>((done) => {
      const end = (good: boolean) =>
        done({ at: performance.timeOrigin + performance.now(), good });
      socket.once('data', (chunk) =>
        end(chunk.toString('latin1', 9, 12) === '200'),
      );
      socket.once('close', () => end(false)).once('error', () => end(false));
    });
    answers.push(answer);
  });
}
