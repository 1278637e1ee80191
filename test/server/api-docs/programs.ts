import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { BASE_URL } from '../../support/board.js';

const run = promisify(execFile);

/** The programs of a document, each as its document says to save and run it. */
export const LANGUAGES = {
  sh: { save: 'agent.sh', command: 'sh' },
  python: { save: 'agent.py', command: 'python3' },
  js: { save: 'agent.mjs', command: process.execPath },
} as const;
export type Language = keyof typeof LANGUAGES;

export function blocks(document: string, language: string): string[] {
  const found = document.matchAll(
    new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'),
  );
  return [...found].map(([, text = '']) => text);
}

export function block(document: string, language: string): string {
  const [text, ...more] = blocks(document, language);
  if (text === undefined || more.length > 0) {
    throw new Error(`${more.length + 1} blocks of ${language}`);
  }
  return text;
}

/** Saves a printed program; of a board's own address only the port is changed. */
export async function save(
  folder: string,
  file: string,
  text: string,
  url: string,
): Promise<void> {
  await writeFile(path.join(folder, file), text.replaceAll(BASE_URL, url));
}

type Ran = { stdout: string; stderr: string; failed: boolean };

export async function runIn(
  folder: string,
  command: readonly string[],
  env: Record<string, string> = {},
): Promise<Ran> {
  const [name = '', ...words] = command;
  const options = { cwd: folder, env: { ...process.env, ...env } };
  try {
    return { ...(await run(name, words, options)), failed: false };
  } catch (error) {
    const { stdout = '', stderr = '' } = error as Partial<Ran>;
    return { stdout, stderr, failed: true };
  }
}
