import type { Request, Response } from 'express';
import { writeAtPace } from '../http/edge/timeouts.js';
import { endAnswer, sendText } from '../http/send.js';

const TYPES = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
} as const;
export type FileFormat = keyof typeof TYPES;

const CHUNK = 65_536;

type Row = Readonly<Record<string, unknown>>;
type FileOf = {
  /** Without ending; never a stranger's text. */
  name: string;
  format: FileFormat;
  columns: readonly string[];
  rows: AsyncIterable<Row>;
};

/**
 * CSV with a header line, or `{"data": […]}`. A late failure closes the
 * connection, so that half a file cannot pass for a whole one.
 */
export async function streamFile(
  req: Request,
  res: Response,
  { name, format, columns, rows }: FileOf,
): Promise<void> {
  nameFile(res, name, format);
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

function nameFile(res: Response, name: string, format: FileFormat): void {
  const line = `attachment; filename="${name}.${format}"`;
  res.setHeader('Content-Disposition', line);
}

export function sendFile(
  req: Request,
  res: Response,
  { name, format, text }: { name: string; format: FileFormat; text: string },
): void {
  nameFile(res, name, format);
  sendText(req, res, text, { cache: 'no-store', type: TYPES[format] });
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

/** Formulas of spreadsheets. */
const FORMULA = /^[=+\-@\t\r]/;

/** RFC 4180; formulas are defused. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** CRLF as in RFC 4180. */
function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

export function csv(
  columns: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
): string {
  const lines = rows.map((row) => columns.map((name) => row[name]));
  return [columns, ...lines].map(csvLine).join('');
}
