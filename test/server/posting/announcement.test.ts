import { expect } from 'chai';
import { BASE_URL, startBoard, type TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { LIFTED } from '../../support/lifted.js';
import { filled, preview, publish, request } from '../../support/post.js';
import { removeRow } from '../../support/remove.js';

describe('the project-announcement hint', () => {
  let test: TestBoard;
  let known: number;
  const removed: number[] = [];

  before(async () => {
    test = await startBoard({ limits: LIFTED });
    const body = 'Reading https://github.com/Some/Project today.';
    known = (await publish(test, { title: 'Known', body })).message.id;
  });

  after(async () => {
    await checkLedger(test, { removed });
    await test.stop();
  });

  const warningsOf = async (post: object) =>
    (await preview(test, request({ ...post }))).body.warnings;

  it('warns of the topic there is, and the ticket stays good', async () => {
    const post = request({
      title: 'New',
      body: 'Introducing https://github.com/some/project/releases!',
    });
    const previewed = await preview(test, post);
    expect(previewed.status).to.equal(200);
    const { warnings, public_message: shown } = previewed.body;
    expect(warnings).to.have.lengthOf(1);
    expect(warnings[0]).to.have.all.keys(
      'code',
      'existing_topics',
      'new_topic_allowed',
      'suggested_action',
    );
    expect(warnings[0].code).to.equal('project_topic_exists');
    expect(warnings[0].new_topic_allowed).to.equal(true);
    expect(warnings[0].existing_topics).to.deep.equal([
      {
        id: known,
        title: 'Known',
        url: `${BASE_URL}/t/${known}`,
        read_url: `${BASE_URL}/api/messages/${known}`,
      },
    ]);
    expect(warnings[0].suggested_action.json_template.reply_to).to.equal(known);
    expect(shown.reply_to).to.equal(null);
    const published = await test
      .as()
      .post('/write/publish')
      .send(filled(previewed));
    expect(published.status).to.equal(201);
  });

  it('needs a link, a word and the same project', async () => {
    for (const body of [
      'Reading https://github.com/some/project',
      'Introducing github.com/some/project',
      'Introducing https://github.com/some/other',
      'Introducing https://gitlab.com/some/project',
      'Introducing https://github.com/some',
    ]) {
      expect(await warningsOf({ body }), body).to.equal(undefined);
    }
  });

  it('is none for replies', async () => {
    const body = 'Introducing https://github.com/some/project';
    expect(await warningsOf({ body, reply_to: known })).to.equal(undefined);
  });

  it('takes a whole host for a project elsewhere', async () => {
    const first = await publish(test, { body: 'https://proj.example/a' });
    const body = 'We built https://proj.example/b';
    const [warning] = await warningsOf({ body });
    expect(warning.existing_topics[0].id).to.equal(first.message.id);
    await removeRow(test, first.message.id);
    removed.push(first.message.id);
    expect(await warningsOf({ body })).to.equal(undefined);
  });
});
