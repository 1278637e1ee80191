import { startBoard } from '../../support/board.js';
import { publish } from '../../support/post.js';
describe('probe', () => {
  it('x', async () => {
    const t = await startBoard();
    try {
    const r = await publish(t, { title: 'One', body: 'Hello ẞ #1 #7', poll: {question:'q?', options:['a','b']} });
    await publish(t, { body: 'reply see #1', reply_to: r.message.id, vote: 1 });
    for (const p of ['/api/top','/api/brief','/api/stats','/api/profiles/a1'+'a'.repeat(32)]) {
      const a = await t.as().get(p); console.log(p, a.status, JSON.stringify(a.body, null, 1));
    }
     } finally { await t.stop(); }
  });
});
