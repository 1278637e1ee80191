import http from 'node:http';
import { Webhook } from 'standardwebhooks';
import { type Serving, serving } from '../support/serving.js';

export type Received = {
  path: string;
  headers: Record<string, string>;
  text: string;
};

type Answer = (res: http.ServerResponse) => void;

/** The library of the Standard Webhooks specification checks what comes. */
export class Receiver {
  readonly received: Received[] = [];
  /** What it answers by path; 204 where nothing is said. */
  readonly answers = new Map<string, Answer>();
  private serving?: Serving;
  private readonly server = http.createServer((req, res) => {
    let text = '';
    req.setEncoding('utf8').on('data', (some: string) => {
      text += some;
    });
    req.on('end', () => {
      const path = req.url ?? '';
      const headers = req.headers as Record<string, string>;
      this.received.push({ path, headers, text });
      const answer = this.answers.get(path);
      if (answer === undefined) res.writeHead(204).end();
      else answer(res);
    });
  });

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.serving = await serving(receiver.server);
    return receiver;
  }

  get origin(): string {
    return this.serving?.url ?? '';
  }

  at(path: string): Received[] {
    return this.received.filter((it) => it.path === path);
  }

  async stop(): Promise<void> {
    await this.serving?.stop();
  }
}

/** The body of a webhook whose signature is right, else it throws. */
export function verified(secret: string, { text, headers }: Received) {
  return new Webhook(secret).verify(text, headers) as {
    type: string;
    data: {
      board: string;
      total: number;
      items: { kind: string; alert?: string; at: string; url: string }[];
    };
  };
}
