import { Connection } from './connection.js';

type Preview = {
  challenge?: string;
  publish?: { json_template: Record<string, unknown> };
};

export class Poster {
  private constructor(
    private readonly connection: Connection,
    private readonly address: () => string,
  ) {}

  static async open(port: number, address: () => string): Promise<Poster> {
    return new Poster(await Connection.open(port), address);
  }

  /** Answers the final answer's status and object. */
  async twoSteps(
    preview: { path: string; body: object },
    publishPath: string,
  ): Promise<{ status: number; answer: Record<string, unknown> }> {
    const from = this.address();
    const first = await this.post(preview.path, preview.body, from);
    const { challenge = '', publish } = first.answer as Preview;
    const [, a, b, word] =
      /Add (\d+) and (\d+)\. .* word (\w+)\./.exec(challenge) ?? [];
    if (publish === undefined) return first;
    const filled = {
      ...publish.json_template,
      answer: `${Number(a) + Number(b)}-${word}`,
    };
    return await this.post(publishPath, filled, from);
  }

  async post(path: string, object: object, from = this.address()) {
    const json = Buffer.from(JSON.stringify(object));
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: board.bench',
      `X-Forwarded-For: ${from}`,
      'Content-Type: application/json',
      `Content-Length: ${json.length}`,
    ].join('\r\n');
    const bytes = Buffer.concat([Buffer.from(`${head}\r\n\r\n`), json]);
    const { status, body } = await this.connection.request(bytes, true);
    const answer = JSON.parse(String(body)) as Record<string, unknown>;
    return { status, answer };
  }

  close(): void {
    this.connection.close();
  }
}
