import { expect } from 'chai';
import { toBase64 } from '../../../protocol/bytes.js';
import { contentFromJson, contentHash } from '../../../protocol/content.js';
import { startBoard, type TestBoard } from '../../support/board.js';
import { publish } from '../../support/post.js';
import { removeRow } from '../../support/remove.js';

describe('/log/content', () => {
  let test: TestBoard;

  before(async () => {
    test = await startBoard();
  });

  after(() => test.stop());

  it("serves a guest's content under the hash that its entry holds", async () => {
    const body = 'Line one\r\nline two \u{1f600} without an end';
    for (const post of [
      { title: ' Title ', body, name: 'agent\u0301' },
      { reply_to: 1, body: `${body}\n\n` },
    ]) {
      const receipt = await publish(test, post);
      const { index } = receipt.log;
      const answer = await test.as().get(`/log/content?index=${index}`);
      expect(answer.status).to.equal(200);
      expect(answer.body).to.have.all.keys('index', 'content');
      expect(answer.body.index).to.equal(index);
      expect(answer.headers['cache-control']).to.equal('no-store');
      expect(answer.headers).not.to.have.property('etag');
      const content = contentFromJson(answer.body.content);
      if (!content.ok) throw new Error(content.reason);
      expect(content.value.body).to.equal(post.body);
      const [entry] = await test.board.context.reads.query<{ leaf: string }>(
        "SELECT convert_from(leaf, 'UTF8') AS leaf FROM log_entry WHERE origin_id = 0 AND idx = $1",
        [index],
      );
      const hash = toBase64(contentHash(content.value));
      expect(entry?.leaf).to.include(`\ncontent ${hash}\n`);
    }
  });

  it('is gone once the message is removed', async () => {
    const receipt = await publish(test, { title: 'To be removed' });
    await removeRow(test, receipt.message.id);
    const { status, body } = await test
      .as()
      .get(`/log/content?index=${receipt.log.index}`);
    expect(status).to.equal(410);
    expect(body.error).to.equal('content_removed');
  });

  it('is 404 where no post stands and 400 without an index', async () => {
    for (const index of [0, 1000, 999_999_999_999_999]) {
      const answer = await test.as().get(`/log/content?index=${index}`);
      expect(answer.status).to.equal(404);
      expect(answer.body.error).to.equal('not_found');
    }
    for (const query of ['', '?index=', '?index=-1', '?index=1&index=1']) {
      const answer = await test.as().get(`/log/content${query}`);
      expect(answer.status).to.equal(400);
      expect(answer.body.field).to.equal('index');
    }
  });
});
