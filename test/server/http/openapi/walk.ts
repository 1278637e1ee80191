import { type ErrorCode, MEANINGS } from '../../../../server/errors.js';
import type { LimitName } from '../../../../server/limits.js';
import { recordFaults } from '../../../faults/report.js';
import { startBoard } from '../../../support/board.js';
import { checkLedger } from '../../../support/check-ledger.js';
import { compiledClient } from '../../../support/compiled.js';
import { watch } from '../../../support/watched.js';
import { BOUNDLESS, furnish } from './furnished.js';
import {
  type Answer,
  checkHeaders,
  checkKept,
  checkLimits,
  checkRefusal,
  headersChecked,
  isHtml,
} from './header-rules.js';

export type Expected = number | ErrorCode;
export type Walk = Omit<Awaited<ReturnType<typeof beginWalk>>, 'stop'>;

/** Answers of `test` are held to the description, others to header rules. */
export async function beginWalk() {
  /** Not watched, for what goes past the public API. */
  const plain = await startBoard({
    limits: BOUNDLESS,
    clientFile: await compiledClient(),
    // No worker changes what /api/mesh says of a peer between two reads.
    env: { MESH_ALLOW_HTTP: 'on', MESH_ALLOW_PRIVATE: 'on', ROLES: 'api' },
  });
  const watched = await watch(plain);
  const { test, description } = watched;

  const check = (
    answer: Answer,
    at: string,
    expected: Expected,
    isRead: boolean,
  ): void => {
    const said = `${at}: ${answer.text}`;
    if (typeof expected === 'string') {
      expect(answer.body.error, said).to.equal(expected);
      expect(answer.status, said).to.equal(MEANINGS[expected].status);
    } else expect(answer.status, said).to.equal(expected);
    const isPage = isHtml(answer) || answer.status === 302;
    const isPublic = isRead && !at.startsWith('/api/budgets');
    if (answer.status >= 400 && !isPage) checkRefusal(answer, at, isPublic);
    else checkHeaders(answer, at, isPublic, isPage);
  };

  /** Reads as GET and HEAD, and by its ETag if there is one. */
  const read = async (
    path: string,
    expected: Expected = 200,
  ): Promise<Answer> => {
    const answer = await test.as().get(path);
    const route = description.at('GET', path)?.path ?? path;
    const operation = description.document.paths[route]?.get;
    if (answer.status === 200 && operation !== undefined) {
      checkKept(answer, route, description.document);
      if (!isHtml(answer)) {
        checkLimits(answer, route, operation['x-limits'] as LimitName[]);
      }
    }
    check(answer, path, expected, true);
    const { etag } = answer.headers;
    for (const tag of etag === undefined ? [] : [etag, `W/${etag}`, '*']) {
      const again = await test.as().get(path).set('If-None-Match', tag);
      expect(again.status, `${path} ${tag}`).to.equal(304);
      expect(again.text ?? '', path).to.equal('');
      checkHeaders(again, path, true, isHtml(answer));
      const { etag: kept, 'cache-control': cache } = again.headers;
      expect(kept, path).to.equal(etag);
      expect(cache, path).to.equal(answer.headers['cache-control']);
    }
    await readHead(path, answer);
    return answer;
  };

  // Streams have no length; generated documents have a new date.
  // What is left of a limit changes with every request.
  const changing =
    /^(?:date|transfer-encoding|content-(?:length|encoding)|ratelimit)$/;
  const readHead = async (path: string, answer: Answer): Promise<void> => {
    const head = await test.as().head(path);
    expect(head.status, path).to.equal(answer.status);
    expect(head.text ?? '', path).to.equal('');
    for (const [name, value] of Object.entries(answer.headers)) {
      if (changing.test(name)) continue;
      expect(head.headers[name], `${path} ${name}`).to.equal(value);
    }
  };

  const send = async (
    path: string,
    body: object | string,
    expected: Expected,
    from?: string,
  ): Promise<Answer> => {
    const answer = await test.as(from).post(path).type('json').send(body);
    check(answer, path, expected, false);
    return answer;
  };

  const stop = async (): Promise<void> => {
    await checkLedger(plain);
    await plain.stop();
    await recordFaults({ test: 'D9', faults: headersChecked() });
  };
  return { plain, watched, test, has: await furnish(test), read, send, stop };
}
