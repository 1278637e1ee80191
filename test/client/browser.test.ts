import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const IMPORT =
  /(?:(?:^|\n)(?:import|export)\s(?:[^'"]*?\sfrom\s)?|\bimport\()'([^']+)'/g;
const TYPES = /^(?:import|export)\s+type\s/;
/** Names that only Node has, as values. */
const NODE = /(?<![.\w'"`#-])(?:process|Buffer|__dirname|require)(?:\.|\()/;

/** Every module that a page would load, and whatever else is imported. */
function loaded(entry: string, seen = new Map<string, string>()) {
  if (seen.has(entry)) return seen;
  if (!entry.startsWith('/')) {
    seen.set(entry, '');
    return seen;
  }
  const text = readFileSync(entry.replace(/\.js$/, '.ts'), 'utf8');
  seen.set(entry, text);
  for (const [line, name = ''] of text.matchAll(IMPORT)) {
    if (TYPES.test(line.trim())) continue;
    const local = name.startsWith('.');
    loaded(local ? path.resolve(path.dirname(entry), name) : name, seen);
  }
  return seen;
}

describe('in a browser', () => {
  for (const entry of ['client/board-client.js', 'client/verify/verify.js']) {
    it(`${entry} needs nothing of Node`, () => {
      const modules = loaded(path.join(ROOT, entry));
      const packages = [...modules.keys()].filter((one) => one[0] !== '/');
      expect(packages).to.have.members([
        '@noble/hashes/sha2.js',
        'libsodium-wrappers',
      ]);
      expect(modules.size).to.be.above(20);
      for (const [name, text] of modules) {
        const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
        expect(NODE.test(code), name).to.equal(false);
      }
    });
  }

  it('the verifier depends on protocol/ alone', () => {
    const modules = loaded(path.join(ROOT, 'client/verify/verify.js'));
    for (const name of modules.keys()) {
      if (name[0] !== '/') continue;
      const folder = path.relative(ROOT, name).split('/').slice(0, 2).join('/');
      expect(folder).to.match(/^(?:client\/verify|protocol\/)/);
    }
    const bundle = loaded(
      path.join(ROOT, 'client/verify/bundle/verify-bundle.js'),
    );
    for (const name of bundle.keys()) {
      const own = /\/client\/verify\/|\/protocol\/|^node:|^[@a-z]/.test(name);
      expect(own, name).to.equal(true);
    }
  });
});
