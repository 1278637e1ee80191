import { expect } from 'chai';
import { startBoard, type TestBoard } from '../../../support/board.js';
import {
  type Declared,
  declaredRoutes,
  isAsset,
  methodsOf,
  nameOf,
  routeOf,
} from './declared.js';

/** Where programs ask; pages and texts for people are elsewhere. */
const API = /^\/(?:api|write|log|mirror|mcp|feed|rooms|healthz|readyz)\b/;

describe('the machine description and the routes', () => {
  let test: TestBoard;
  let declared: Declared[];

  before(async () => {
    test = await startBoard();
    declared = await declaredRoutes(test);
  });

  after(() => test.stop());

  it('has one description of a route at most, of all that programs ask', () => {
    const names = declared.map(nameOf);
    expect(new Set(names).size).to.equal(names.length);
    const missing = declared.filter(
      ({ path, operation }) =>
        operation === null && API.test(path) && !isAsset(path),
    );
    expect(missing.map(nameOf)).to.deep.equal([]);
    expect(names).to.include.members([
      ...['get /healthz', 'post /write/publish', 'get /log/checkpoint'],
      ...['get /t/{id}', 'get /skill.md', 'get /log/tile/{L}/{N}'],
    ]);
  });

  it('describes no route that is not there', () => {
    const methods = methodsOf(test);
    const more = declared.filter(
      ({ method, path }) => !methods.get(routeOf(path))?.includes(method),
    );
    // It only refuses, as older descriptions of this API made it known.
    expect(more.map(nameOf)).to.deep.equal(['get /write/preview']);
  });
});
