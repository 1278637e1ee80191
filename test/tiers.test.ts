import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

type Tiers = { REST: string[]; PLAIN: string[] };
const { REST, PLAIN } = createRequire(import.meta.url)('./tiers.cjs') as Tiers;

describe('the list of the second tier', () => {
  it('names files and folders that are there', () => {
    // Mocha only warns of a name that it finds nowhere.
    for (const name of [...REST, ...PLAIN]) {
      const place = name.replace('**/*.test.ts', '');
      const at = fileURLToPath(new URL(`../${place}`, import.meta.url));
      expect(existsSync(at), name).to.equal(true);
    }
  });
});
