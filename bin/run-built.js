import module from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** From Node 22 on the code is compiled once; a build removes what was kept. */
export async function runBuilt(main) {
  module.enableCompileCache?.(path.join(path.dirname(main), '.compiled'));
  await import(pathToFileURL(main).href);
}
