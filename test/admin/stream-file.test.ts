import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import express from 'express';
import {
  type FileFormat,
  streamFile,
} from '../../server/dashboard/stream-file.js';
import { type Serving, serving } from '../support/serving.js';
import { until } from '../support/until.js';

const ROWS = 100_000;
const COLUMNS = ['id', 'text'];
/** Many times what any buffer on the way holds. */
const TEXT = 'x'.repeat(1000);

describe('a long table as a file', () => {
  let server: Serving;
  let made: number;
  let ended: boolean;
  let failAt: number;

  async function* rows(of: number) {
    try {
      for (let id = 1; id <= of; id += 1) {
        if (id === failAt) throw new Error('the database is away');
        made = id;
        yield { id, text: id === 1 ? '=1+1, "quoted"\r\n' : TEXT };
      }
    } finally {
      ended = true;
    }
  }

  beforeEach(async () => {
    [made, ended, failAt] = [0, false, 0];
    const app = express();
    app.get('/:format/:rows', async (req, res) => {
      const format = req.params.format as FileFormat;
      const of = Number(req.params.rows);
      const file = { name: 'table', format, columns: COLUMNS, rows: rows(of) };
      await streamFile(req, res, file);
    });
    server = await serving(createServer(app));
  });

  afterEach(() => server.stop());

  async function ask(path: string): Promise<IncomingMessage> {
    const asked = get(`${server.url}${path}`);
    asked.on('error', () => {});
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return answer;
  }

  async function textOf(answer: IncomingMessage): Promise<string> {
    let text = '';
    for await (const part of answer.setEncoding('utf8')) text += part;
    return text;
  }

  it('is read no faster than it is taken, and no further than it is wanted', async () => {
    const answer = await ask(`/json/${ROWS}`);
    let before = -1;
    await until('nothing more is read', () => {
      const stands = made > 0 && made === before;
      before = made;
      return stands;
    });
    expect(made).to.be.within(1, ROWS / 2);
    answer.destroy();
    await until('it is let go', () => ended);
    expect(made).to.be.below(ROWS);
  });

  it('is whole: every row once, as JSON and as CSV', async () => {
    const json = JSON.parse(await textOf(await ask('/json/2000')));
    expect(json.data).to.have.length(2000);
    expect(json.data.at(-1)).to.deep.equal({ id: 2000, text: TEXT });
    expect(JSON.parse(await textOf(await ask('/json/0')))).to.deep.equal({
      data: [],
    });
    const answer = await ask('/csv/2000');
    expect(answer.headers['content-disposition']).to.equal(
      'attachment; filename="table.csv"',
    );
    const csv = await textOf(answer);
    const head = `id,text\r\n1,"'=1+1, ""quoted""\r\n"\r\n2,${TEXT}\r\n`;
    expect(csv.startsWith(head)).to.equal(true);
    expect(csv.split('\r\n')).to.have.length(2000 + 3);
  });

  it('cannot pass for whole when it breaks off', async () => {
    failAt = 5000;
    const answer = await ask(`/json/${ROWS}`);
    const error = await textOf(answer).catch((thrown: Error) => thrown);
    expect(error).to.be.an('error');
    expect(ended).to.equal(true);
  });
});
