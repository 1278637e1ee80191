import { connect } from 'node:tls';

const ANSWER_MS = 5000;
const ASK_MS = 3_600_000;

/** In ms; null for http or no answer. Asks at most hourly. */
export function certificateEnd(
  baseUrl: string,
  now: () => number,
): () => Promise<number | null> {
  const { protocol, hostname, port } = new URL(baseUrl);
  if (protocol !== 'https:') return () => Promise.resolve(null);
  let askedAt = Number.NEGATIVE_INFINITY;
  let end: Promise<number | null> = Promise.resolve(null);
  return () => {
    if (Math.abs(now() - askedAt) < ASK_MS) return end;
    askedAt = now();
    end = shownEnd(hostname, Number(port || 443));
    return end;
  };
}

/** Browsers judge the chain. */
function shownEnd(host: string, port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const options = { host, port, servername: host, rejectUnauthorized: false };
    const socket = connect(options, () => {
      const end = Date.parse(socket.getPeerCertificate().valid_to);
      socket.destroy();
      resolve(Number.isNaN(end) ? null : end);
    });
    socket.setTimeout(ANSWER_MS, () => socket.destroy());
    socket.unref();
    socket.on('error', () => resolve(null));
    socket.on('close', () => resolve(null));
  });
}
