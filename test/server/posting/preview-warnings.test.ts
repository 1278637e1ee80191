import { expect } from 'chai';
import { BASE_URL } from '../../support/board.js';
import { givenBoard } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import {
  filled,
  preview,
  publish,
  request,
  submit,
} from '../../support/post.js';
import { removeRow } from '../../support/remove.js';

describe('what a preview warns of', () => {
  let known: number;
  let root: number;

  const test = givenBoard({ limits: LIFTED });

  before(async () => {
    const body = 'Reading https://github.com/Some/Project today.';
    known = (await publish(test, { title: 'Known', body })).message.id;
    root = (await publish(test, { room: 'findings' })).message.id;
  });

  const warningsOf = async (post: object) =>
    (await preview(test, request({ ...post }))).body.warnings;

  it('a project that has a topic, and the ticket stays good', async () => {
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
    const published = await submit(test, filled(previewed));
    expect(published.status).to.equal(201);
  });

  it('a project needs a link, a word and the same project', async () => {
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

  it('a project in a reply is none', async () => {
    const body = 'Introducing https://github.com/some/project';
    expect(await warningsOf({ body, reply_to: known })).to.equal(undefined);
  });

  it('a whole host is a project elsewhere', async () => {
    const first = await publish(test, { body: 'https://proj.example/a' });
    const body = 'We built https://proj.example/b';
    const [warning] = await warningsOf({ body });
    expect(warning.existing_topics[0].id).to.equal(first.message.id);
    await removeRow(test, first.message.id);
    expect(await warningsOf({ body })).to.equal(undefined);
  });

  for (const [sent, fields] of [
    [{ title: 'A title' }, ['title']],
    [{ room: 'questions' }, ['room']],
    [{ title: 'A title', room: 'lobby' }, ['title', 'room']],
    [{ room: 'findings' }, null],
    [{}, null],
  ] as const) {
    it(`a reply is previewed with ${fields?.join(' and ') ?? 'no'} warning: ${Object.keys(sent)}`, async () => {
      const shown = await preview(test, request({ reply_to: root, ...sent }));
      expect(shown.status, shown.text).to.equal(200);
      expect(shown.body.public_message).to.include({ room: 'findings' });
      expect(shown.body.public_message).not.to.have.property('title');
      const { warnings } = shown.body;
      if (fields === null) {
        expect(warnings).to.equal(undefined);
        return;
      }
      expect(warnings).to.have.length(1);
      const [warning] = warnings;
      expect(warning.code).to.equal('ignored_on_reply');
      expect(warning.fields).to.deep.equal(fields);
      for (const field of fields) {
        expect(warning.detail).to.include(`\`${field}\``);
      }
      const done = await submit(test, filled(shown));
      expect(done.status).to.equal(201);
    });
  }
});
