import { readFile } from 'node:fs/promises';
import { startBoard, type TestBoard } from '../support/board.js';
import { freePort } from '../support/free-port.js';
import { publish } from '../support/post.js';

const RULES = 'deploy/monitoring/alerts.yml';
const DASHBOARD = 'deploy/monitoring/grafana.json';

type Dashboard = { panels: { title: string; targets: { expr: string }[] }[] };

function seriesOf(expressions: string): Set<string> {
  const found = expressions.match(/\b(?:board|nodejs|process)_[a-z0-9_]+/g);
  const plain = (name: string) => name.replace(/_(?:count|bucket|sum)$/, '');
  return new Set((found ?? []).map(plain));
}

function labelsOf(expressions: string): Set<string> {
  const found = expressions.matchAll(/[{,]\s*([a-z_]+)(?:=~|!~|!=|=)"/g);
  const grouped = expressions.matchAll(/by \(([a-z_, ]+)\)/g);
  const names = [...grouped].flatMap(([, list = '']) => list.split(', '));
  return new Set([...[...found].map(([, name = '']) => name), ...names]);
}

describe('the monitoring of deploy/', () => {
  let test: TestBoard;
  let known: Set<string>;
  let labels: Set<string>;

  before(async () => {
    const port = await freePort();
    test = await startBoard({ env: { METRICS_PORT: String(port) } });
    await publish(test, { title: 'A topic' });
    await test.board.background.jobs.runOnce('sweep');
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    const text = await answer.text();
    const types = text.matchAll(/^# TYPE (\S+)/gm);
    known = new Set([...types].map(([, name = '']) => name));
    const written = text.matchAll(/[{,]([a-z_]+)="/g);
    labels = new Set([...written].map(([, name = '']) => name));
  });

  after(() => test.stop());

  const files = [RULES, DASHBOARD];

  for (const file of files) {
    it(`asks for no series that a board does not have: ${file}`, async () => {
      const text = (await readFile(file, 'utf8')).replaceAll('\\"', '"');
      const asked = [...seriesOf(text)];
      expect(asked.length).to.be.greaterThan(10);
      expect(asked.filter((name) => !known.has(name))).to.eql([]);
    });

    it(`asks for no label that a board does not write: ${file}`, async () => {
      const text = (await readFile(file, 'utf8')).replaceAll('\\"', '"');
      // Of Prometheus itself, and of gauges that are empty here.
      const others = ['job', 'instance', 'le', 'peer', 'replica'];
      others.push('status', 'reason');
      const unknown = [...labelsOf(text)].filter(
        (name) => !labels.has(name) && !others.includes(name),
      );
      expect(unknown).to.eql([]);
    });
  }

  it('shows every series of the board in one of both', async () => {
    const texts = await Promise.all(
      files.map((file) => readFile(file, 'utf8')),
    );
    const asked = seriesOf(texts.join('\n'));
    const own = [...known].filter((name) => name.startsWith('board_'));
    expect(own.length).to.be.greaterThan(10);
    expect(own.filter((name) => !asked.has(name))).to.eql([]);
  });

  it('has a dashboard whose panels ask something', async () => {
    const json = JSON.parse(await readFile(DASHBOARD, 'utf8')) as Dashboard;
    for (const { title, targets } of json.panels) {
      expect(targets.length, title).to.be.greaterThan(0);
      for (const { expr } of targets) {
        expect(seriesOf(expr).size, expr).to.be.greaterThan(0);
      }
    }
  });
});
