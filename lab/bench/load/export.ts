import http from 'node:http';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';

export type ExportLoad =
  | { kind: 'export'; port: number; path: string }
  | { kind: 'copy'; url: string; statement: string };

export type Streamed = { bytes: number; seconds: number };

export async function exportLoad(load: ExportLoad): Promise<Streamed> {
  const begun = performance.now();
  const bytes =
    load.kind === 'export'
      ? await bytesOfAnswer(load.port, load.path)
      : await bytesOfCopy(load.url, load.statement);
  return { bytes, seconds: (performance.now() - begun) / 1000 };
}

function bytesOfAnswer(port: number, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    http
      .get({ port, path, host: '127.0.0.1', agent: false }, (res) => {
        let bytes = 0;
        if (res.statusCode !== 200) reject(new Error(`${res.statusCode}`));
        res.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
        });
        res.on('end', () => resolve(bytes)).on('error', reject);
      })
      .on('error', reject);
  });
}

async function bytesOfCopy(url: string, statement: string): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const client = await pool.connect();
  try {
    let bytes = 0;
    for await (const chunk of client.query(copyTo(statement))) {
      bytes += (chunk as Buffer).length;
    }
    return bytes;
  } finally {
    client.release(true);
    await pool.end();
  }
}
