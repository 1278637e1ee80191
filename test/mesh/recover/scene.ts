import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { TestBoard } from '../../support/board.js';
import { TestClock } from '../../support/clock.js';
import { copyDatabase, dropDatabase } from '../../support/cluster.js';
import { given } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { until } from '../../support/until.js';
import { befriend, nodeOnPort } from '../peers/node-on-port.js';
import { LostBoard } from './lost-board.js';
import { nightly } from './runbook.js';

class KeptNode {
  private head = '';

  constructor(private readonly node: TestBoard) {}

  async keep(): Promise<void> {
    await this.node.restart(async () => {
      this.head = await readFile(this.headFile, 'utf8');
      await copyDatabase(this.copy, this.database);
    });
  }

  async putBack(): Promise<void> {
    await this.node.restart(async () => {
      await dropDatabase(this.database);
      await copyDatabase(this.database, this.copy);
      await writeFile(this.headFile, this.head);
    });
  }

  async end(): Promise<void> {
    await dropDatabase(this.copy);
  }

  private get database(): string {
    return new URL(this.node.databaseUrl).pathname.slice(1);
  }

  private get copy(): string {
    return `${this.database}_kept`;
  }

  private get headFile(): string {
    return path.join(this.node.board.context.config.dataDir, 'log.head');
  }
}

/** A mirror takes in at once what it would spread over the days of a quota. */
const QUOTAS = {
  mesh_peer_entries_day: 100_000_000,
  mesh_peer_content_bytes_day: 100_000_000_000,
};

/** Three linked boards; the first one loses what a page says, and comes back. */
export class Scene {
  private last = 0;
  private kept: { last: number; others: KeptNode[] } | null = null;

  private constructor(
    readonly lost: LostBoard,
    readonly b: TestBoard,
    readonly c: TestBoard,
  ) {}

  /** @param more messages of a community beside the first one. */
  static async make(more = 0): Promise<Scene> {
    const clock = new TestClock(Date.now());
    const [lost, b, c] = await Promise.all([
      LostBoard.make(),
      nodeOnPort({ clock, limits: QUOTAS }),
      nodeOnPort({ clock, limits: QUOTAS }),
    ]);
    const scene = new Scene(lost, b, c);
    await lost.start();
    await scene.link();
    await lost.run('peer', 'add', b.url, '--confirm', await scene.vkey(b.url));
    await befriend(b, c);
    if (more > 0) await lost.run('seed', '--count', String(more));
    await scene.say('Before any loss.');
    await lost.follow(nightly(), b.url);
    return scene;
  }

  /** The other two add a board that has just begun, under the key it shows. */
  async link(): Promise<void> {
    const confirm = await this.vkey();
    this.last = 0;
    for (const { board } of [this.b, this.c]) {
      const terms = { confirm, trust: 'mirror', content: 'all' } as const;
      await board.peerAdmin.add(this.lost.url, terms);
    }
  }

  async keep(): Promise<void> {
    await this.stopMirrored();
    await this.lost.keep();
    const others = [this.b, this.c].map((node) => new KeptNode(node));
    await Promise.all(others.map((node) => node.keep()));
    this.kept = { last: this.last, others };
    await this.lost.start();
  }

  async putBack(): Promise<void> {
    if (this.kept === null) throw new Error('nothing was kept');
    const { last, others } = this.kept;
    await this.lost.putBack();
    await Promise.all(others.map((node) => node.putBack()));
    this.last = last;
    await this.lost.start();
    await this.writable();
  }

  async end(): Promise<void> {
    await Promise.all([this.lost.end(), this.b.stop(), this.c.stop()]);
    for (const node of this.kept?.others ?? []) await node.end();
  }

  async vkey(url = this.lost.url): Promise<string> {
    return (await json(`${url}/api/mesh`)).log.vkey;
  }

  async say(body: string): Promise<void> {
    const { message } = await publish(this.lost, { body });
    expect(message.id).to.be.above(this.last);
    this.last = message.id;
    await this.mirrored();
  }

  async mirrored(): Promise<void> {
    const { log } = await json(`${this.lost.url}/api/mesh`);
    for (const { clock, board, as } of [this.b, this.c]) {
      await until(`${log.size} entries of ${log.origin}`, async () => {
        // What failed while the board was away is tried again at a hint.
        clock.advance(31_000);
        await as()
          .post('/api/mesh/hint')
          .send({ origin: log.origin, size: log.size });
        const peer = await board.peerAdmin.read(this.lost.name);
        return peer.origin === log.origin && peer.mirrored_size >= log.size;
      });
    }
  }

  /** Once the others have all of its log; anchors may follow the last text. */
  async stopMirrored(end = () => this.lost.stop()): Promise<void> {
    for (;;) {
      await this.mirrored();
      await end();
      const size = await this.lost.headSize();
      const peers = await Promise.all(
        [this.b, this.c].map(({ board }) =>
          board.peerAdmin.read(this.lost.name),
        ),
      );
      if (peers.every((peer) => peer.mirrored_size >= size)) return;
      await this.lost.start();
    }
  }

  /** The same by a SIGKILL, which leaves its PostgreSQL alive. */
  async crashMirrored(before = async () => {}): Promise<void> {
    await this.stopMirrored(async () => {
      await before();
      await this.lost.crash();
    });
  }

  async texts(): Promise<number> {
    const { board } = await json(`${this.lost.url}/api/mesh`);
    return board.messages.signed + board.messages.guest;
  }

  /** Texts there: on itself, or on both others where it begins without. */
  async textsThere(isEmptied: boolean): Promise<number[]> {
    if (!isEmptied) return [await this.texts()];
    const held = [this.b, this.c].map(({ board }) =>
      board.peerAdmin.holdings(this.lost.name),
    );
    return (await Promise.all(held)).map(({ texts }) => texts);
  }

  async bodies(): Promise<string[]> {
    const address = `${this.lost.url}/api/updates?since=0&limit=100`;
    const { data } = await json(address);
    return data.map(({ body }: { body: string }) => body);
  }

  /** The operators of the other boards do what the board's commands print. */
  async followed(): Promise<void> {
    const [, line = ''] =
      /^ {2}reserve-board (peer add .*)$/m.exec(
        [...this.lost.said]
          .reverse()
          .find(({ stdout }) => stdout.includes('reserve-board peer add '))
          ?.stdout ?? '',
      ) ?? [];
    const [, , url = '', , confirm = ''] = line.replaceAll("'", '').split(' ');
    expect(url).to.equal(this.lost.url);
    for (const { board } of [this.b, this.c]) {
      await board.peerAdmin.add(url, { confirm });
    }
  }

  async writable(): Promise<void> {
    await until('writes are open', async () => {
      const { status } = await fetch(`${this.lost.url}/readyz`);
      return status === 200;
    });
  }

  /** Writes are open, nothing was signed twice, and the others follow. */
  async expectBack(body: string): Promise<void> {
    await this.writable();
    await this.say(body);
    const places = this.lost.servers().map(({ isInPlace }) => isInPlace);
    expect(places, 'servers').to.deep.equal([true]);
    for (const { board } of [this.b, this.c]) {
      const peer = await board.peerAdmin.read(this.lost.name);
      expect(peer.evidence).to.deep.equal([]);
      expect(['quarantined', 'blocked']).not.to.include(peer.status);
    }
  }

  all(): string {
    return this.lost.said.map(({ stdout }) => stdout).join('\n');
  }
}

export const givenScene = (more?: number) =>
  given(async () => {
    const scene = await Scene.make(more);
    const { lost, b } = scene;
    return { scene, lost, b, stop: () => scene.end() };
  });

/** The answer of an address; a board that is busy is asked again. */
export async function json(url: string) {
  let answer = await fetch(url);
  await until(`an answer of ${url}`, async () => {
    if (answer.status === 503) answer = await fetch(url);
    return answer.status !== 503;
  });
  return answer.json();
}
