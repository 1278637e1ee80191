import { randomUUID } from 'node:crypto';
import { messageText } from '../corpus/message.js';
import { Poster } from './post.js';

/** Texts are those of messages from `from` on; all authors share the count. */
export type Texts = { seed: number; from: number };

/** Replies after each topic, as on public boards: 201 topics, 923 replies. */
const MESSAGES_PER_TOPIC = 6;

/** Publishes topics, and replies to them, on a network of its own. */
export class Author {
  private turn = 0;
  private root: number | null = null;

  private constructor(
    private readonly poster: Poster,
    private readonly texts: Texts,
  ) {}

  static async open(port: number, n: number, texts: Texts): Promise<Author> {
    const address = `198.51.100.${n % 250}`;
    return new Author(await Poster.open(port, () => address), texts);
  }

  /** Previews and publishes the next text; whether it was published. */
  async publish(): Promise<boolean> {
    const isTopic = this.turn % MESSAGES_PER_TOPIC === 0;
    this.turn += 1;
    const { root, texts } = this;
    const { title, body } = messageText(texts.seed, texts.from++);
    const { status, answer } = await this.poster.twoSteps(
      {
        path: '/write/preview',
        body: {
          request_id: randomUUID(),
          body,
          ...(isTopic || root === null ? { title } : { reply_to: root }),
        },
      },
      '/write/publish',
    );
    if (status !== 201) return false;
    if (isTopic) this.root = (answer.message as { id: number }).id;
    return true;
  }

  close(): void {
    this.poster.close();
  }
}
