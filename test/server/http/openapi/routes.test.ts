import { expect } from 'chai';
import { givenBoard } from '../../../support/hooks.js';
import {
  type Declared,
  declaredRoutes,
  methodsOf,
  nameOf,
  routeOf,
} from './declared.js';

describe('the machine description and the routes', () => {
  const test = givenBoard();
  let declared: Declared[];
  before(async () => {
    declared = await declaredRoutes(test);
  });

  it('has one description of every route, pages and files included', () => {
    const names = declared.map(nameOf);
    expect(new Set(names).size).to.equal(names.length);
    const missing = declared.filter(({ operation }) => operation === null);
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
