import { Agent, request as httpRequest } from 'node:http';
import type { Exchange } from './conforms.js';

/** Ends its connections long before the server would, as the global one. */
const agent = new Agent({ keepAlive: true, maxSockets: 16, timeout: 1500 });

export type Sent = {
  method: string;
  /** Sent as it is, well-formed or not. */
  path: string;
  headers: { [name: string]: string };
  body: string | null;
};

/** One request over a kept connection, its path untouched. */
export async function send(url: string, it: Sent): Promise<Exchange> {
  const { hostname, port } = new URL(url);
  const { method, path, headers, body } = it;
  return await new Promise((resolve, reject) => {
    const req = httpRequest(
      { agent, hostname, port, method, path, headers },
      (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('error', reject);
        res.on('end', () => {
          resolve({
            method,
            path,
            status: res.statusCode ?? 0,
            headers: res.headers as Exchange['headers'],
            text: Buffer.concat(chunks).toString('utf8'),
          });
        });
      },
    );
    req.on('error', reject);
    req.end(body ?? undefined);
  });
}
