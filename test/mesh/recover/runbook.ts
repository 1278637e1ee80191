import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(
  new URL('../../../docs/recover.md', import.meta.url),
);

/** The commands of a page of docs/recover.md, line by line as printed. */
export function commandsOf(page: string): string[] {
  const [, found] = pages().find(([name]) => name === page) ?? [];
  if (found === undefined) throw new Error(`no page ${page}`);
  return found;
}

export function nightly(): string[] {
  const [start = ''] = readFileSync(FILE, 'utf8').split('\n## ');
  return blocksOf(start);
}

/** The lines of the blocks of a document for a shell. */
export function blocksOf(text: string): string[] {
  const blocks = [...text.matchAll(/```sh\n(.*?)```/gs)];
  const lines = blocks.flatMap(([, block = '']) => block.split('\n'));
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}

export function texts(): [name: string, text: string][] {
  const [, ...all] = readFileSync(FILE, 'utf8').split('\n## ');
  return all.map((page) => [/^<a id="([a-z-]+)">/.exec(page)?.[1] ?? '', page]);
}

export function pages(): [name: string, commands: string[]][] {
  return texts().map(([name, text]) => [name, blocksOf(text)]);
}

export function linkedPages(): string[] {
  const text = readFileSync(FILE, 'utf8');
  return [...text.matchAll(/\]\(#([a-z-]+)\)/g)].map(([, name = '']) => name);
}

export function titles(): Map<string, string> {
  const text = readFileSync(FILE, 'utf8');
  const found = text.matchAll(/^## <a id="([a-z-]+)"><\/a>(.*)$/gm);
  return new Map([...found].map(([, id = '', title = '']) => [id, title]));
}
