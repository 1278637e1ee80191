import { cp } from 'node:fs/promises';
import {
  newGeneration,
  planGeneration,
} from '../../../mesh/cli/log-new-generation.js';
import { planOwn, restoreOwn } from '../../../mesh/cli/log-restore.js';
import { PatientClient } from '../../../mesh/cli/patient-client.js';
import { headFile } from '../../../server/ledger/head-file.js';
import { given } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { isContent, type Lie, withoutTexts } from '../support/lying-mirror.js';
import { bodiesIn, mirroredBoard, refusal } from '../support/mirrored-board.js';

const TEXTS = ['The first.', 'The second.'];
const BUSY = { status: 503, body: '{"error":"unavailable"}' };

const isAway: Lie = () => BUSY;

describe('recovery beside mirrors that do not answer', () => {
  const scene = given(mirroredBoard({ anchors: false }));
  const { a, b } = scene;
  let last: number;

  before(async () => {
    for (const body of TEXTS) {
      ({ id: last } = (await publish(a, { body })).message);
    }
    await scene.mirrored();
    await a.board.stop();
  });

  it('give no text up while one of the boards is away', async () => {
    const config = await scene.newDisk();
    const away = await scene.liar(isAway);
    const bare = await scene.liar(withoutTexts);
    const plan = await planOwn(config, [bare, away]);
    expect(plan).to.deep.include({ lost: [1, 2], silent: [away] });
    const refused = await refusal(restoreOwn(config, [bare, away]));
    expect(refused).to.include(`${away} did not answer`);
    expect(refused).to.include('the text of 2 messages: 1, 2');
    expect(await bodiesIn(config)).to.deep.equal([]);
    const report = await restoreOwn(config, [bare, away, b.url]);
    expect(report).to.deep.include({ lost: [], closed: null });
    expect(await bodiesIn(config)).to.deep.equal(TEXTS);
    const named = await scene.newDisk();
    expect((await restoreOwn(named, [bare])).lost).to.deep.equal([1, 2]);
  });

  it('give no text up while one is too busy to send it', async () => {
    const config = await scene.newDisk();
    const bare = await scene.liar(withoutTexts);
    // It has the text, and gives it neither in a page nor alone.
    const busy = await scene.liar((url, honest) =>
      isContent(url) ? BUSY : withoutTexts(url, honest),
    );
    for (const work of [planOwn, restoreOwn]) {
      const refused = await refusal(work(config, [bare, busy]));
      expect(refused).to.include(`${busy} did not answer when asked`);
    }
    expect(await bodiesIn(config)).to.deep.equal([]);
    await restoreOwn(config, [bare, b.url]);
    expect(await bodiesIn(config)).to.deep.equal(TEXTS);
  });

  it('leave out a million IDs where a board that is away may have seen more', async () => {
    const away = await scene.liar(isAway);
    const urls = [b.url, away];
    const config = await scene.newDisk();
    const asked = { urls, formerKey: null, newSeed: false, onProgress() {} };
    const plan = await planGeneration(config, asked);
    expect(plan.unseen).to.include(`${away} did not answer`);
    const made = await newGeneration(config, { urls });
    expect(made.past).to.deep.include({ witnessed: false, silent: [away] });
    expect(made.firstMessageId).to.equal(last + 1_000_000 + 1);
  });

  it('leave out none where the rows are as new as the head file', async () => {
    const away = await scene.liar(isAway);
    const config = await scene.copy();
    const { dataDir } = a.board.context.config;
    await cp(headFile(dataDir), headFile(config.dataDir));
    const made = await newGeneration(config, { urls: [b.url, away] });
    expect(made.past).to.deep.include({ witnessed: true, silent: [] });
    expect(made.firstMessageId).to.equal(last + 1);
  });

  describe('ask a busy board again', () => {
    const waits: number[] = [];
    const said: string[] = [];
    let client: PatientClient;

    beforeEach(() => {
      waits.length = 0;
      said.length = 0;
      const reach = { allowHttp: true, allowPrivate: true };
      client = new PatientClient(reach, {
        onWait: (text) => said.push(text),
        wait: async (ms) => waits.push(ms),
      });
    });

    afterEach(() => client.close());

    const asked = async (url: string) => {
      const answer = await client.get(url, '/api/mesh');
      return answer.ok ? answer.value.status : answer.reason;
    };

    it('after the time that it names, and says so', async () => {
      let left = 2;
      const url = await scene.liar((_, honest) => {
        left -= 1;
        return left < 0
          ? honest()
          : { ...BUSY, headers: { 'Retry-After': '7' } };
      });
      expect(await asked(url)).to.equal(200);
      expect(waits).to.deep.equal([7000, 7000]);
      const sentence = `${url} is busy (HTTP 503); it is asked again in 7 s.`;
      expect(said).to.deep.equal([sentence, sentence]);
    });

    it('not without a time, and no longer than a minute, once', async () => {
      expect(await asked(await scene.liar(isAway))).to.equal(503);
      expect(waits).to.deep.equal([]);
      const busy = { ...BUSY, status: 429, headers: { 'Retry-After': '25' } };
      const url = await scene.liar(() => busy);
      expect(await asked(url)).to.equal(429);
      expect(await asked(url)).to.equal(429);
      expect(waits).to.deep.equal([25_000, 25_000]);
      const far = await scene.liar(() => ({
        ...BUSY,
        headers: { 'Retry-After': '86400' },
      }));
      expect(await asked(far)).to.equal(503);
      expect(waits).to.have.length(2);
    });
  });
});
