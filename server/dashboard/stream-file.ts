import type { Request, Response } from 'express';
import { writeAtPace } from '../http/backpressure.js';
import { endAnswer } from '../http/fast/end-response.js';
import { csvLine } from './csv.js';

const TYPES = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
} as const;
export type FileFormat = keyof typeof TYPES;

/** Written at once; a table of any length is never held as a whole. */
const CHUNK = 65_536;

type Row = Readonly<Record<string, unknown>>;
export type FileOf<R extends Row> = {
  /** Without its ending; it holds no stranger's text. */
  name: string;
  format: FileFormat;
  /** Of the CSV, in their order. */
  columns: readonly string[];
  rows: AsyncIterable<R>;
};

/**
 * Answers with a file to keep, at the reader's pace: CSV with a line of names,
 * or `{"data": […]}`. What fails after the beginning ends the connection, so
 * that half a file cannot pass for a whole one.
 */
export async function streamFile<R extends Row>(
  req: Request,
  res: Response,
  { name, format, columns, rows }: FileOf<R>,
): Promise<void> {
  const line = `attachment; filename="${name}.${format}"`;
  res.setHeader('Content-Disposition', line);
  res.setHeader('Content-Type', TYPES[format]);
  res.setHeader('Cache-Control', 'no-store');
  if (req.method === 'HEAD') return endAnswer(req, res);
  const parts = format === 'csv' ? asCsv(columns, rows) : asJson(rows);
  try {
    for await (const chunk of chunked(parts)) {
      if (!(await writeAtPace(res, chunk))) return;
    }
    res.end();
  } catch (error) {
    if (!res.headersSent) {
      res.removeHeader('Content-Disposition');
      throw error;
    }
    res.destroy();
  }
}

async function* asCsv(
  columns: readonly string[],
  rows: AsyncIterable<Row>,
): AsyncGenerator<string> {
  yield csvLine(columns);
  for await (const row of rows) {
    yield csvLine(columns.map((column) => row[column]));
  }
}

async function* asJson(rows: AsyncIterable<Row>): AsyncGenerator<string> {
  yield '{"data":[';
  let between = '';
  for await (const row of rows) {
    yield `${between}${JSON.stringify(row)}`;
    between = ',';
  }
  yield ']}';
}

async function* chunked(parts: AsyncIterable<string>): AsyncGenerator<string> {
  let text = '';
  for await (const part of parts) {
    text += part;
    if (text.length < CHUNK) continue;
    yield text;
    text = '';
  }
  yield text;
}
