import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What a gate does with a request: pass it on and lose the answer, pass it on
 * and tell somebody before the answer goes back, or change that, tell somebody
 * and never answer, or answer itself.
 */
export type GateRule =
  | 'drop'
  | { silent: () => void }
  | { status: number; body: unknown }
  | { status: number; text: string }
  | {
      answered?: () => Promise<void>;
      seen?: (body: string) => void;
      /** The answer as it goes back. */
      told?: (answer: string) => string;
    };

export type Gate = { url: string; close(): Promise<void> };

/** A proxy in front of a board, on a free loopback port. */
export async function startGate(board: string, rule: GateRule): Promise<Gate> {
  const server = createServer(async (req, res) => {
    const body = await bodyOf(req);
    if (rule !== 'drop' && 'silent' in rule) {
      if (req.url === '/api/mesh/relay') rule.silent();
      return;
    }
    if (rule !== 'drop' && 'status' in rule) {
      res.writeHead(rule.status, { 'Content-Type': 'application/json' });
      res.end('text' in rule ? rule.text : JSON.stringify(rule.body));
      return;
    }
    const read = req.method === 'GET';
    const answer = await fetch(
      `${board}${req.url}`,
      read
        ? {}
        : {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body,
          },
    ).catch(() => null);
    if (answer === null) {
      res.destroy();
      return;
    }
    const text = await answer.text();
    if (rule === 'drop') {
      res.destroy();
      return;
    }
    // Hints and cosignatures of a mirror pass here as well.
    if (req.url === '/api/mesh/relay') {
      rule.seen?.(body);
      await rule.answered?.();
    }
    res.writeHead(answer.status, { 'Content-Type': 'application/json' });
    res.end(read ? text : (rule.told?.(text) ?? text));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
