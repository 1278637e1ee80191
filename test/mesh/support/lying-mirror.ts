import http from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = { status: number; body: string; retryAfter?: string };

/** What is answered instead of the honest answer; null hangs up. */
export type Lie = (
  url: URL,
  honest: () => Promise<Answer>,
) => Promise<Answer | null> | Answer | null;

/** A board that hands on what another one answers, but for its lies. */
export class LyingMirror {
  private constructor(
    private readonly server: http.Server,
    readonly url: string,
  ) {}

  static async start(of: string, lie: Lie): Promise<LyingMirror> {
    const server = http.createServer((req, res) => {
      const url = new URL(req.url ?? '/', of);
      const honest = async () => {
        const answer = await fetch(url);
        return { status: answer.status, body: await answer.text() };
      };
      Promise.resolve(lie(url, honest)).then(
        (answer) => {
          if (answer === null) res.destroy();
          else res.writeHead(answer.status, headersOf(answer)).end(answer.body);
        },
        () => res.destroy(),
      );
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    return new LyingMirror(server, `http://127.0.0.1:${port}`);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

function headersOf({ retryAfter }: Answer) {
  return retryAfter === undefined ? {} : { 'Retry-After': retryAfter };
}

export const isFeed = ({ pathname }: URL) => pathname.endsWith('/feed');
export const isContent = ({ pathname }: URL) => pathname.endsWith('/content');

/** Changes the JSON of an answer. */
export async function changed(
  honest: () => Promise<Answer>,
  change: (json: ReturnType<typeof JSON.parse>) => void,
): Promise<Answer> {
  const { status, body } = await honest();
  const json = JSON.parse(body);
  change(json);
  return { status, body: JSON.stringify(json) };
}

/** It has the log, and no text. */
export const withoutTexts: Lie = (url, honest) => {
  if (isContent(url)) return { status: 404, body: '{"error":"not_found"}' };
  if (!isFeed(url)) return honest();
  return changed(honest, ({ entries }) => {
    for (const entry of entries) delete entry.content;
  });
};
