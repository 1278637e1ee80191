import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** By path, without what `.gitignore` names: `dist/`, `*.log` or a name. */
export async function treeFiles(root: string): Promise<string[]> {
  const ignored = await readFile(path.join(root, '.gitignore'), 'utf8');
  const left = new Set(['.git/', ...ignored.split('\n')]);
  const found: string[] = [];
  const look = async (folder: string): Promise<void> => {
    const entries = await readdir(path.join(root, folder), {
      withFileTypes: true,
    });
    for (const entry of entries) {
      const { name } = entry;
      const directory = entry.isDirectory();
      if (left.has(directory ? `${name}/` : name)) continue;
      if (left.has(`*${path.extname(name)}`)) continue;
      const file = path.join(folder, name);
      if (directory) await look(file);
      else if (entry.isFile()) found.push(file);
    }
  };
  await look('');
  return found;
}
