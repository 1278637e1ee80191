import { Agent, request as httpRequest } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { Exchange } from './conforms.js';
import { HANG_MS } from './full.js';

/** Ends its connections long before the server would, as the global one. */
const agent = new Agent({ keepAlive: true, maxSockets: 16, timeout: 1500 });

export type Sent = {
  method: string;
  /** Sent as it is, well-formed or not; one character is one byte. */
  path: string;
  /** An array is sent as that many headers. */
  headers: { [name: string]: string | string[] };
  body: string | Buffer | null;
};

/** Over a kept connection, path untouched. @throws Error without an answer. */
export async function send(url: string, it: Sent): Promise<Exchange> {
  const { hostname, port } = new URL(url);
  const { method, path, body } = it;
  // A body that Node does not announce would be read as the next request.
  const length =
    body === null ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const headers = { ...length, ...it.headers };
  return await new Promise((resolve, reject) => {
    const req = httpRequest(
      { agent, hostname, port, method, path, headers },
      (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('error', reject);
        res.on('end', () => {
          const whole = Buffer.concat(chunks);
          const zipped = res.headers['content-encoding'] === 'gzip';
          const isWhole = zipped && whole.length > 0;
          resolve({
            method,
            path,
            status: res.statusCode ?? 0,
            headers: res.headers as Exchange['headers'],
            text: (isWhole ? gunzipSync(whole) : whole).toString('utf8'),
          });
        });
      },
    );
    req.setTimeout(HANG_MS, () => req.destroy(new Error('no answer')));
    req.on('error', reject);
    req.end(body ?? undefined);
  });
}
