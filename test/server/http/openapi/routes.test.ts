import { expect } from 'chai';
import { startBoard, type TestBoard } from '../../../support/board.js';
import { type OpenApi, operationsOf } from '../../../support/described.js';
import { mountedRoutes, templateOf } from '../../../support/routes.js';
import { UNDESCRIBED } from './undescribed.js';

describe('the machine description and the routes', () => {
  let test: TestBoard;
  let described: string[];
  let mounted: string[];

  before(async () => {
    test = await startBoard();
    const { text } = await test.as().get('/openapi.json');
    described = operationsOf(JSON.parse(text) as OpenApi).map(
      ({ method, path }) => `${method.toUpperCase()} ${path}`,
    );
    mounted = mountedRoutes(test.board.app).flatMap(({ path, methods }) =>
      methods
        .filter((method) => method !== 'options')
        .map((method) => `${method.toUpperCase()} ${templateOf(path)}`),
    );
  });

  after(() => test.stop());

  it('sees the routes of every router', () => {
    expect(mounted.length).to.be.greaterThan(40);
    for (const one of ['GET /healthz', 'POST /write/publish']) {
      expect(mounted).to.include(one);
    }
    expect(mounted).to.include('GET /log/checkpoint');
  });

  it('describes every route but those that are no API', () => {
    const exceptions = Object.keys(UNDESCRIBED).map((path) => `GET ${path}`);
    const missing = mounted.filter(
      (route) => !described.includes(route) && !exceptions.includes(route),
    );
    expect(missing).to.deep.equal([]);
  });

  it('describes no route that is not there', () => {
    const more = described.filter((route) => !mounted.includes(route));
    // It only refuses, as older descriptions of this API made it known.
    expect(more).to.deep.equal(['GET /write/preview']);
  });

  it('leaves nothing out that is described or gone', () => {
    for (const path of Object.keys(UNDESCRIBED)) {
      expect(mounted).to.include(`GET ${path}`);
      expect(described).not.to.include(`GET ${path}`);
    }
  });
});
