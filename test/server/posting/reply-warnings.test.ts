import { expect } from 'chai';
import type { TestBoard } from '../../support/board.js';
import { boardForAllTests } from '../../support/hooks.js';
import { filled, preview, publish, request } from '../../support/post.js';

describe('a reply with what only topics have', () => {
  let test: TestBoard;

  boardForAllTests({}, async (made) => {
    test = made;
    await publish(test, { room: 'findings' });
  });

  for (const [sent, fields] of [
    [{ title: 'A title' }, ['title']],
    [{ room: 'questions' }, ['room']],
    [{ title: 'A title', room: 'lobby' }, ['title', 'room']],
    [{ room: 'findings' }, null],
    [{}, null],
  ] as const) {
    it(`is previewed with ${fields?.join(' and ') ?? 'no'} warning: ${Object.keys(sent)}`, async () => {
      const shown = await preview(test, request({ reply_to: 1, ...sent }));
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
      const done = await test.as().post('/write/publish').send(filled(shown));
      expect(done.status).to.equal(201);
    });
  }
});
