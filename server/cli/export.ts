import { open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { Progress } from '../../client/cli/progress.js';
import { parseConfig } from '../config.js';
import { Message } from '../db/entities/message.js';
import { exportBatches } from '../reading/export-stream.sql.js';
import { boardAddress, fetchBoard } from './board-client.js';
import { exportBundle } from './export-bundle.js';
import { ExportReader, type ExportSummary } from './export-reader.js';
import { CommandFailure } from './failure.js';
import { type JsonOption, print } from './output.js';
import { requireMigrated, withOwnDatabase } from './tool-database.js';

type ExportOptions = JsonOption & {
  out?: string;
  bundle?: string;
  board?: string;
};
/** `total` 0: unknown. */
type Take = (chunk: Buffer, total: number) => Promise<void>;

async function fromBoard(board: string, take: Take): Promise<void> {
  const response = await fetchBoard(`${board}/all.txt`);
  if (!response.ok || response.body === null) {
    const body = (await response.json().catch(() => ({}))) as {
      detail?: string;
    };
    throw new CommandFailure(
      `${board}/all.txt answers ${response.status}: ${body.detail ?? 'no board is there'}`,
    );
  }
  try {
    for await (const chunk of response.body) await take(Buffer.from(chunk), 0);
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure(
      'The connection broke before the END line; run the command again.',
    );
  }
}

async function fromDatabase(take: Take): Promise<void> {
  const config = parseConfig(process.env);
  await withOwnDatabase(config, async (db) => {
    await requireMigrated(db);
    const total = await db.manager.maximum(Message, 'id');
    await db.snapshot(async (tx) => {
      for await (const chunk of exportBatches(tx, config.baseUrl)) {
        await take(chunk, total ?? 0);
      }
    });
  });
}

/** Names the folder: the file has a temporary name. */
function unwritable(error: unknown, folder: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT'
    ? new CommandFailure(
        `${folder} does not exist; make it, or name a file in another folder.`,
      )
    : Object.assign(error as Error, { path: folder });
}

/** The file appears whole and verified, or not at all. */
async function save(
  file: string,
  progress: Progress,
  source: (take: Take) => Promise<void>,
): Promise<ExportSummary> {
  // Renaming would replace `/dev/null` and the like.
  const there = await stat(file).catch(() => null);
  if (there !== null && !there.isFile()) {
    throw new CommandFailure(`${file} is no ordinary file; name a new one.`);
  }
  const draft = `${file}.${process.pid}.part`;
  const handle = await open(draft, 'wx', 0o600).catch((error: unknown) => {
    throw unwritable(error, path.dirname(file));
  });
  try {
    const reader = new ExportReader();
    await source(async (chunk, total) => {
      reader.write(chunk);
      await handle.writeFile(chunk);
      progress.at(reader.messages, total, ' messages');
    });
    const summary = reader.finish();
    await handle.sync();
    await rename(draft, file);
    return summary;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await handle.close();
    progress.end();
  }
}

async function exportText(
  out: string,
  board: string | undefined,
  json: boolean,
): Promise<void> {
  const file = path.resolve(out);
  const source =
    board === undefined
      ? fromDatabase
      : (take: Take) => fromBoard(boardAddress(board), take);
  const summary = await save(file, new Progress('exporting', json), source);
  print(
    json,
    { ok: true, file, ...summary },
    `Wrote ${summary.messages} messages (${summary.bytes} bytes, SHA-256 ${summary.sha256}) to ${file}; END verified.`,
  );
}

/** `--out` a file, or `--bundle` a folder. */
export async function exportBoard(
  options: ExportOptions,
  command: Command,
): Promise<void> {
  const { json = false, out, bundle, board } = options;
  if ((out === undefined) === (bundle === undefined)) {
    command.error('error: name one of --out <file> and --bundle <dir>');
  }
  if (out !== undefined) await exportText(out, board, json);
  if (bundle !== undefined) await exportBundle(bundle, board, json);
}
