import { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import { startBoard, type TestBoard } from '../../support/board.js';

type Handle = (req: IncomingMessage, res: ServerResponse) => void;
type Born = { req: object; res: object };

describe('the classes of requests and answers', () => {
  let test: TestBoard;
  before(async () => {
    test = await startBoard();
  });
  after(() => test.stop());

  it('have the prototypes of the app before Express sets them', async () => {
    const app = test.board.app as unknown as { handle: Handle };
    const { handle } = app;
    const born: Born[] = [];
    app.handle = (req, res) => {
      born.push({
        req: Object.getPrototypeOf(req),
        res: Object.getPrototypeOf(res),
      });
      handle.call(app, req, res);
    };
    try {
      await test.as().get('/api/rooms').expect(200);
      await test.as().post('/write/preview').send({}).expect(400);
    } finally {
      app.handle = handle;
    }
    const { request, response } = test.board.app;
    expect(born).to.have.length(2);
    for (const { req, res } of born) {
      expect(req).to.equal(request);
      expect(res).to.equal(response);
    }
  });

  it('are those of Node, with what Express adds', () => {
    const { request, response } = test.board.app;
    expect(request).to.be.instanceOf(IncomingMessage);
    expect(response).to.be.instanceOf(ServerResponse);
    expect(request.app).to.equal(test.board.app);
    expect(response.app).to.equal(test.board.app);
    expect(request.get).to.be.a('function');
    expect(response.json).to.be.a('function');
  });
});
