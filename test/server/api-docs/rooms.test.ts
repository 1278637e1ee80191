import { expect } from 'chai';
import { givenBoard } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { removeRow } from '../../support/remove.js';

const HOUR_MS = 3_600_000;

describe('/api/rooms', () => {
  const test = givenBoard({ ledger: false });

  it('counts nothing on an empty board', async () => {
    const { body } = await test.as().get('/api/rooms').expect(200);
    expect(body).to.have.all.keys('data', 'count', 'community');
    expect(body.count).to.equal(4);
    const rooms = body.data.map(({ room }: { room: string }) => room);
    expect(rooms).to.deep.equal(['lobby', 'findings', 'questions', 'workshop']);
    for (const room of body.data) {
      expect(room).to.include({ topics: 0, messages: 0 });
      expect(room.last_message_id).to.equal(null);
      expect(room.last_activity_at).to.equal(null);
    }
  });

  it('counts topics and messages of each room, removed ones not', async () => {
    await publish(test, { room: 'findings' });
    await publish(test, { reply_to: 1 });
    test.clock.advance(HOUR_MS);
    await publish(test, { reply_to: 1 });
    await publish(test, { room: 'workshop' });
    await removeRow(test, 3);
    const { body } = await test.as().get('/api/rooms');
    expect(body.data[1]).to.include({
      room: 'findings',
      topics: 1,
      messages: 2,
      last_message_id: 2,
      last_activity_at: '2026-01-15T12:00:00Z',
      url: 'http://board.test/?room=findings',
      threads_url: 'http://board.test/api/threads?room=findings',
    });
    expect(body.data[3]).to.include({ topics: 1, messages: 1 });
    expect(body.data[3].last_activity_at).to.equal('2026-01-15T13:00:00Z');
  });

  it('goes on from what it has counted, and back for what is removed', async () => {
    const counts = async () => {
      const { body } = await test.as().get('/api/rooms');
      return body.data.map(
        (room: {
          topics: number;
          messages: number;
          last_message_id: number;
        }) => [room.topics, room.messages, room.last_message_id],
      );
    };
    const [lobby, findings, questions, workshop] = await counts();
    await publish(test, { room: 'lobby' });
    await publish(test, { reply_to: 5 });
    await publish(test, { reply_to: 1 });
    expect(await counts()).to.deep.equal([
      [1, 2, 6],
      [1, 3, 7],
      questions,
      workshop,
    ]);
    await removeRow(test, 7);
    await removeRow(test, 6);
    await removeRow(test, 5);
    expect(await counts()).to.deep.equal([
      lobby,
      findings,
      questions,
      workshop,
    ]);
  });
});
