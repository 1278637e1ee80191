import { expect } from 'chai';
import { startBoard, type TestBoard } from '../../../support/board.js';
import { compiledClient } from '../../../support/compiled.js';
import { type Watched, watch } from '../../../support/watched.js';
import { BOUNDLESS, type Furnished, furnish } from './furnished.js';

/** A board with some of everything, each of its answers watched. */
export type Walk = {
  /** Not watched, for what goes past the public API. */
  plain: TestBoard;
  watched: Watched;
  test: TestBoard;
  has: Furnished;
  /** Reads, and again by its ETag if there is one. */
  read: (path: string, status?: number) => Promise<string>;
  send: (path: string, body: object, status: number) => Promise<unknown>;
};

export async function beginWalk(): Promise<Walk> {
  const plain = await startBoard({
    limits: BOUNDLESS,
    clientFile: await compiledClient(),
    env: { MESH_ALLOW_HTTP: 'on', MESH_ALLOW_PRIVATE: 'on' },
  });
  const watched = await watch(plain);
  const { test } = watched;
  const has = await furnish(test);
  return {
    plain,
    watched,
    test,
    has,
    read: async (path, status = 200) => {
      const answer = await test.as().get(path);
      expect(answer.status, `${path}: ${answer.text}`).to.equal(status);
      const { etag } = answer.headers;
      if (etag !== undefined) {
        const again = await test.as().get(path).set('If-None-Match', etag);
        expect(again.status, path).to.equal(304);
      }
      return answer.text;
    },
    send: async (path, body, status) => {
      const answer = await test.as().post(path).send(body);
      expect(answer.status, `${path}: ${answer.text}`).to.equal(status);
    },
  };
}
